"""What is counted by family of patterns."""

from __future__ import annotations

from typing import Any

from reefsim.core.metric import Part, Summary


def _families(part: Part) -> Any:
    import pandas as pd

    players = part.players.reset_index()[["game_id", "seat", "rank"]]
    plays = part.turns[part.turns["play"] > 0].merge(players, on=["game_id", "seat"])
    counted = pd.DataFrame(
        {
            "family": plays["family"].astype(str),
            "plays": 1,
            "blank": plays["points"].eq(0).astype(int),
            "points": plays["points"].astype(int),
            "by_winners": plays["points"].where(plays["rank"] == 1, 0).astype(int),
        }
    )
    return counted.groupby("family", as_index=False).sum()


SUMMARIES: tuple[Summary, ...] = (
    Summary(
        name="families",
        meaning="families of patterns: how often their cards are played, and what they score",
        keys={"family": "family of the pattern, as the deck file has it"},
        counts={
            "plays": "cards played",
            "blank": "of those, the ones that scored nothing",
            "points": "points they scored when played",
            "by_winners": "of those, the ones of winners",
        },
        compute=_families,
        reads={
            "turns": ("play", "family", "points"),
            "players": ("rank",),
        },
        per="plays",
        even=("points",),
    ),
)
