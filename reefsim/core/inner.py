"""A numba compiler for kernels that only other kernels call.

numba optimizes and assembles every function together with all functions below it, as Python might
call any of them: in a chain of kernels each level repeats the work of those below. Here kernels
that are no entry points stay as they were lowered, and the entry point above them optimizes all of
them once, in one piece.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class InnerLibrary(JITCodeLibrary):
    """Code that becomes part of its callers and is of no use by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the entry point."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lowers a kernel into an inner library, without a way in for Python."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower the function of a compilation."""
        context, flags = state.targetctx, state.flags
        library = InnerLibrary(context.codegen(), state.func_id.func_qualname)
        state.library = library
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().run_pass(state)
        lowered = state["cr"]
        module, name = lowered.fndesc.lookup_module(), lowered.fndesc.qualname
        # numba knows a function by an object that Python could call; `Kernels` keeps it from that.
        key = _dynfunc.make_function(module, name, "", 0, lowered.env, (library,))
        context.insert_user_function(key, lowered.fndesc, [library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=key, env=lowered.env)
        return True


class InnerCompiler(CompilerBase):
    """The usual passes, but for the lowering."""

    def define_pipelines(self) -> list[Any]:
        """The passes a function goes through."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (InnerLowering if step is NativeLowering else step, about)
            for step, about in manager.passes
        ]
        manager.finalize()
        return [manager]
