"""Who plays the tasks of a run: threads, processes, or the workers of a Dask or Ray cluster.

Each back end is a function from a function and its tasks to the results, in any order. Tasks are
drawn as they can be worked on, about two for each worker, so a plan of any size waits in no queue
and results do not pile up.
"""

from __future__ import annotations

import logging
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, ClassVar, Protocol, TypeVar

import joblib

from reefsim.errors import ReefsimError, RunError

T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 2  # tasks drawn for each worker
_PATIENCE_S = 60.0  # for a cluster to answer


class WorkersDiedError(ReefsimError):
    """Workers died, and with them the tasks they had; others may take these over."""

    exit_code: ClassVar[int] = 2


class Pool(Protocol):
    """Workers that are ready."""

    def __call__(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the result of each task, in any order.

        Raises
        ------
        WorkersDiedError : if workers died
        """


@contextmanager
def open_pool(backend: str, workers: int, scheduler: str | None = None) -> Iterator[Pool]:
    """Make the workers of a back end ready.

    Parameters
    ----------
    backend : threading, loky, dask or ray
    workers : how many; of a cluster that runs already, all there are
    scheduler : address of a cluster; None: one on this machine

    Raises
    ------
    RunError : if the package of the back end is not installed, or its scheduler does not answer
    """
    if backend == "dask":
        with _dask(workers, scheduler) as pool:
            yield pool
    elif backend == "ray":
        with _ray(workers, scheduler) as pool:
            yield pool
    else:
        yield _Joblib(backend, workers)


class _Joblib:
    def __init__(self, backend: str, workers: int) -> None:
        self._backend, self._workers = backend, workers

    def __call__(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        parallel = joblib.Parallel(
            n_jobs=self._workers,
            backend=self._backend,
            return_as="generator_unordered",
            pre_dispatch=f"{_AHEAD}*n_jobs",
            batch_size=1,
        )
        with shielded():
            results = parallel(joblib.delayed(function)(task) for task in tasks)
        try:
            # `yield from` would close the results too early when this generator is closed
            while (result := next(results, results)) is not results:
                yield result
        except BrokenProcessPool as error:
            raise WorkersDiedError(
                "a worker process died, perhaps for want of memory. Use fewer workers, or "
                "backend: threading, which keeps all in one process."
            ) from error
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # that some results were not asked for
                results.close()


@contextmanager
def _dask(workers: int, scheduler: str | None) -> Iterator[Pool]:
    try:
        import distributed
    except ImportError as error:
        raise _not_installed("dask") from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the run says what went wrong
    cluster = None
    try:
        with shielded():
            if scheduler is None:
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            client = distributed.Client(cluster or scheduler, timeout=_PATIENCE_S)
    except (OSError, TimeoutError, ValueError) as error:
        raise RunError(f"{scheduler}: no Dask scheduler answers there: {error}.") from error

    def play(function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        waiting = iter(tasks)
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_S)
        except TimeoutError as error:
            raise RunError(f"{scheduler or 'dask'}: there are no workers.") from error

        def draw(number: int) -> list[Any]:
            return [client.submit(function, task, pure=False) for task in islice(waiting, number)]

        pending = distributed.as_completed(draw(_AHEAD * max(1, sum(client.ncores().values()))))
        try:
            for future in pending:
                yield future.result()
                pending.update(draw(1))
        except distributed.KilledWorker as error:
            raise WorkersDiedError(
                "workers died again and again over the same games, perhaps for want of memory."
            ) from error
        except distributed.client.FutureCancelledError as error:
            raise RunError(f"{scheduler or 'dask'}: the scheduler is gone.") from error
        finally:
            client.cancel(list(pending.futures))

    try:
        yield play
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


@contextmanager
def _ray(workers: int, scheduler: str | None) -> Iterator[Pool]:
    try:
        import ray
    except ImportError as error:
        raise _not_installed("ray") from error
    settings: dict[str, Any] = {"address": scheduler} if scheduler else {"num_cpus": workers}
    try:
        with shielded():
            ray.init(**settings, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise RunError(f"{scheduler or 'ray'}: no Ray cluster answers: {error}.") from error

    def play(function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        waiting = iter(tasks)
        remote = ray.remote(max_retries=3)(function)
        count = max(1, int(ray.cluster_resources().get("CPU", workers)))
        pending = [remote.remote(task) for task in islice(waiting, _AHEAD * count)]
        try:
            while pending:
                done, pending = ray.wait(pending, num_returns=1)
                yield ray.get(done[0])
                pending += [remote.remote(task) for task in islice(waiting, 1)]
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.WorkerCrashedError as error:
            raise WorkersDiedError("workers died again and again over the same games.") from error
        finally:
            for task in pending:
                ray.cancel(task)

    try:
        yield play
    finally:
        ray.shutdown()


def _not_installed(name: str) -> RunError:
    return RunError(f'backend {name} is not installed. Try: pip install "reefsim[{name}]"')


@contextmanager
def shielded() -> Iterator[None]:
    """Processes that start inside never hear of Ctrl-C; this one hears of it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
