"""Agent cards: who played, what each kind of player does and what it leaves out of account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reefsim.reporting.manifest import ArmInfo
from reefsim.reporting.weight_notes import check_sentence
from reefsim.reporting.words import listed

# What a kind does, and what it ignores; the order is that of their strength in the ladder.
_KINDS = {
    "random": ("Takes each legal action with the same chance.", "everything"),
    "greedy": (
        "Takes the action after which the position looks best.",
        "its next action, what the others may do, and what it cannot see",
    ),
    "planner": (
        "Plans its whole turn, action by action, and plays what leads to the best position.",
        "what the others may do, but for what the game expects of them; plans that begin with a "
        "sacrifice; what it cannot see",
    ),
    "search": (
        "Plans whole turns and tries them against the others' best replies, about a round ahead, "
        "in positions drawn to fit what it knows.",
        "everything beyond that round; that the others may play otherwise than it expects",
    ),
}


@dataclass(frozen=True)
class Card:
    """One agent as a reader should know it.

    Attributes
    ----------
    name, setting : as in the experiment file; kind and parameters in words
    does, ignores : in words; empty for a user's own class
    weights : where the weights come from that it judges by; empty if it has none
    """

    name: str
    setting: str
    does: str
    ignores: str
    weights: str


def agent_cards(arms: Iterable[ArmInfo]) -> list[Card]:
    """Cards of the agents of a run, in the order in which they first sit down."""
    found: dict[str, Card] = {}
    arms = list(arms)
    for arm in arms:
        for name, setting in arm.agents.items():
            if name in found:
                continue
            kind = setting.partition(" ")[0]
            does, ignores = _KINDS.get(kind, ("", ""))
            weights = _weights([a.weights[name] for a in arms if name in a.weights])
            found[name] = Card(name, setting, does, ignores, weights)
    return list(found.values())


def _weights(all_weights: list[Mapping[str, object]]) -> str:
    """Where weights come from, and what a check of them found."""
    texts = []
    for weights in all_weights:
        provenance = weights.get("provenance")
        text = f"Judges by weights {weights.get('for')}."
        if isinstance(provenance, Mapping) and provenance.get("method"):
            text = f"Judges by weights {weights.get('for')} ({provenance['method']})."
            if sentence := check_sentence(provenance):
                text += f" {sentence}"
        texts.append(text)
    return " ".join(dict.fromkeys(texts))


def skill_range(arms: Iterable[ArmInfo]) -> str:
    """Say which levels of skill sat at the tables of a run."""
    kinds = {
        setting.partition(" ")[0] for arm in arms for setting in arm.agents.values() if setting
    }
    order = [kind for kind in _KINDS if kind in kinds]
    own = sorted(kinds - set(_KINDS))
    if not order:
        return ""
    stronger = [kind for kind in _KINDS if list(_KINDS).index(kind) > list(_KINDS).index(order[-1])]
    text = f"The strongest built-in player at these tables is {order[-1]}"
    text += f", the weakest {order[0]}" if len(order) > 1 else ""
    text += f"; {listed(own)} are the user's own" if own else ""
    return text + (f". Not tried: {listed(stronger)}, stronger still." if stronger else ".")
