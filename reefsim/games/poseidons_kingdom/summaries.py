"""What is counted by kind of coral."""

from __future__ import annotations

from typing import Any

from reefsim.core.metric import Part, Summary
from reefsim.games.poseidons_kingdom.constants import CORALS
from reefsim.games.poseidons_kingdom.ruleset import PoseidonsKingdomRuleset


def _corals(part: Part) -> Any:
    import pandas as pd

    players = part.players
    tiles_of = part.rules.get("coral", PoseidonsKingdomRuleset().coral)
    best = players["rank"] == 1

    def tiles(rows: Any, numbers: str) -> Any:
        of_kind = rows[f"coral_{numbers}"].astype(object).value_counts()
        return of_kind.reindex(CORALS, fill_value=0).to_numpy()

    white, black = tiles(players, "white"), tiles(players, "black")
    return pd.DataFrame(
        {
            "coral": CORALS,
            "tiles": [len(part.games) * int(tiles_of[kind]) for kind in CORALS],
            "taken": white + black,
            "white": white,
            "black": black,
            "by_winners": tiles(players[best], "white") + tiles(players[best], "black"),
        }
    )


SUMMARIES: tuple[Summary, ...] = (
    Summary(
        name="corals",
        meaning="kinds of coral: how often they are taken in the last turns",
        keys={"coral": "kind of coral"},
        counts={
            "tiles": "tiles of the kind in all games",
            "taken": "of those, the ones taken",
            "white": "of these, from white numbers",
            "black": "of these, from black numbers",
            "by_winners": "of these, by winners",
        },
        compute=_corals,
        reads={"players": ("rank", "coral_white", "coral_black")},
        per="tiles",
        even=("taken",),
    ),
)
