"""What is counted by action area, by region and by number of building."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reefsim.core.metric import Part, Summary
from reefsim.games.charon_inc.constants import AREAS, HIGHEST, LOWEST, REGIONS
from reefsim.games.charon_inc.narrate import ACTIONS, NAMES

_NUMBERS = range(LOWEST, HIGHEST + 1)


def _areas(part: Part) -> Any:
    import pandas as pd

    players = part.players
    best = players["rank"] == 1
    names = [area.lower() for area in AREAS]
    return pd.DataFrame(
        {
            "area": AREAS,
            "action": [ACTIONS[area] for area in AREAS],
            "games": len(part.games),
            "chosen": [int(players[f"chose_{name}"].sum()) for name in names],
            "worked": [int(players[f"worked_{name}"].sum()) for name in names],
            "by_winners": [int(players.loc[best, f"worked_{name}"].sum()) for name in names],
        }
    )


def _buildings(part: Part) -> Any:
    import pandas as pd

    def counts(built: Any) -> Counter[str]:
        return Counter(number for text in built for number in text.split(",") if number != "-")

    players = part.players
    everybody = counts(players["built"])
    winners = counts(players.loc[players["rank"] == 1, "built"])
    return pd.DataFrame(
        {
            "number": [str(n) for n in _NUMBERS],
            "building": [NAMES[n] for n in _NUMBERS],
            "games": len(part.games),
            "built": [everybody[str(n)] for n in _NUMBERS],
            "by_winners": [winners[str(n)] for n in _NUMBERS],
        }
    )


def _regions(part: Part) -> Any:
    import pandas as pd

    mined = part.events[part.events["event"] == "mine"]
    won = mined[mined["seat"].notna()]
    times, wins = Counter(mined["region"]), Counter(won["region"])
    gems = won.groupby("region", observed=True)["size"].sum()
    return pd.DataFrame(
        {
            "region": REGIONS,
            "mined": [times[region] for region in REGIONS],
            "won": [wins[region] for region in REGIONS],
            "unwon": [times[region] - wins[region] for region in REGIONS],
            "gems": [int(gems.get(region, 0)) for region in REGIONS],
        }
    )


_PLAYERS = tuple(f"{what}_{area.lower()}" for what in ("chose", "worked") for area in AREAS)
SUMMARIES: tuple[Summary, ...] = (
    Summary(
        name="areas",
        meaning="action areas: how often they are chosen, and work",
        keys={"area": "action area", "action": "its name"},
        counts={
            "games": "games",
            "chosen": "flags left on it",
            "worked": "of those, the ones whose action worked",
            "by_winners": "of those, the ones of winners",
        },
        compute=_areas,
        reads={"players": ("rank", *_PLAYERS)},
        even=("chosen", "worked"),
    ),
    Summary(
        name="buildings",
        meaning="buildings by number: how often they are built",
        keys={"number": "number of the card", "building": "its name"},
        counts={"games": "games", "built": "cards built", "by_winners": "of those, by winners"},
        compute=_buildings,
        reads={"players": ("rank", "built")},
        even=("built",),
    ),
    Summary(
        name="regions",
        meaning="regions of the moon: how often they are won, and stay with nobody",
        keys={"region": "region"},
        counts={
            "mined": "times it held gems when regions were decided",
            "won": "times somebody won it",
            "unwon": "times nobody did: without flags, or with the first place shared",
            "gems": "gems won there",
        },
        compute=_regions,
        reads={"events": ("event", "region", "seat", "size")},
        events=("mine",),
        per="mined",
        even=("unwon",),
    ),
)
