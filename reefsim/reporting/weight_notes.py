"""What is said about the weights by which agents judged: what they are for, whether they help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reefsim.reporting.manifest import ArmInfo
from reefsim.reporting.words import listed


def check_sentence(provenance: Mapping[str, Any]) -> str:
    """Say whether tuned weights beat those their tuning began with; empty if it is not known.

    Parameters
    ----------
    provenance : of weights, with `check` as `sim.train.train` writes it
    """
    from scipy.stats import t

    check = provenance.get("check")
    if not check:
        return ""
    replicates, share, fair = check["replicates"], check["share"], check["fair"]
    half = t.ppf(0.975, replicates - 1) * check["se"]
    low, high = max(0.0, share - half), min(1.0, share + half)
    found = (
        f"One planner with the tuned weights among planners with the first ones "
        f"({check['against']}) wins {share:.1%} (95 % {low:.1%} to {high:.1%}, {replicates:,} "
        f"shuffles, every seat; fair would be {fair:.1%})"
    )
    if check["kept"] == "first":
        return f"{found}: tuning did not help, the first weights are kept."
    if low > fair:
        return f"{found}: the tuned weights are better."
    return f"{found}: they are not shown to be better."


def weight_notes(arms: Iterable[ArmInfo]) -> list[str]:
    """Say where agents judged by weights for other rules, and what tuning them did.

    Parameters
    ----------
    arms : of the run
    """
    strange: dict[tuple[str, str], list[str]] = {}
    checked: dict[str, str] = {}
    for arm in arms:
        for name, weights in arm.weights.items():
            if not weights.get("fits"):
                strange.setdefault((name, str(weights.get("for"))), []).append(arm.name)
            elif weights.get("retuned"):
                sentence = check_sentence(weights.get("provenance") or {})
                if sentence:
                    checked[arm.ruleset] = f"Players tuned for {arm.ruleset}: {sentence}"
    notes = [
        f"{name} judges positions by weights {origin}, not for the rules of {listed(names)}. "
        "`arms: {retune: true}` tunes players for each arm."
        for (name, origin), names in strange.items()
    ]
    return notes + list(checked.values())
