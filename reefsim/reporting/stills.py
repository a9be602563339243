"""A game in files of its own: the drawing of a position, a moving picture, its notation."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from reefsim.core.wording import did_you_mean, sentences
from reefsim.errors import ReefsimError
from reefsim.logs.files import write_local
from reefsim.logs.saved import SavedGame
from reefsim.reporting import words
from reefsim.reporting.reel import Frame, Reel
from reefsim.reporting.render import write_text

KINDS = (".svg", ".gif", ".txt")
MOST_FRAMES = 240  # of a moving picture
_WIDTH = 640  # of its drawings, in pixels
_COLORS = 256
_FRAME_MS, _LAST_MS = 700, 3000
_CAPTION = 26  # height of the line below a drawing, in pixels


def check_kind(file: Path) -> None:
    """Check that a file is of a kind that a game can be written as.

    Raises
    ------
    ReefsimError : if it is of another kind, or what draws moving pictures is not installed
    """
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise ReefsimError(
            f"{file}: a game is exported as a drawing (*.svg), a moving picture (*.gif) or its "
            "notation (*.txt)."
        )
    if kind == ".gif":
        _rasterizer()


def export(
    saved: SavedGame,
    file: Path,
    *,
    ply: int | None = None,
    seat: int | None = None,
    unit: str = "turn",
) -> Reel:
    """Write a game into a file, by the ending of whose name it is a drawing or something else.

    Parameters
    ----------
    saved : the game
    file : ``*.svg``: one position; ``*.gif``: a position after another; ``*.txt``: the notation
    ply : of the position, that after this event; None: the last one
    seat : whose knowledge of the positions is drawn; None: everything
    unit : what lies between the positions of a moving picture: one of `Reel.units`

    Returns
    -------
    Reel
        What was played again, with the verdict of the check.

    Raises
    ------
    ReefsimError : if the file is of another kind, the game has no drawing, or there is no such ply,
        seat or unit
    RecordError : if not even the set-up can be followed
    """
    check_kind(file)
    reel = Reel(saved, has_views=seat is not None)
    kind = file.suffix.lower()
    if kind != ".txt" and reel.game.render_svg is None:
        raise ReefsimError(f"{file}: {reel.game.title} has no drawing; export *.txt instead.")
    seats = saved.record.players
    if seat is not None and not 0 <= seat < seats:
        raise ReefsimError(f"{saved.name}: there is no seat {seat}; seats are 0 to {seats - 1}.")
    if kind == ".txt":
        write_text(file, "".join(f"{line}\n" for line in notation(reel)))
    elif kind == ".svg":
        if ply is not None:
            reel.check_ply(ply)
        frame = reel.frames[-1 if ply is None else reel.frame_of(ply)]
        write_text(file, _drawing(reel, frame, seat))
    else:
        _write_gif(reel, file, seat, _chosen(reel, unit))
    return reel


def notation(reel: Reel) -> Iterator[str]:
    """The game line by line: who played by which rules, every action in the words of the game.

    What is no choice of a player stands in parentheses.
    """
    saved, game, header = reel.saved, reel.game, reel.saved.record.header
    seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(header["agents"]))
    yield f"{game.title}, {saved.record.players} players: {seats}"
    yield f"record: {saved.name}"
    yield f"rules: {words.rules_text(reel.ruleset.differences())}"
    yield from game.caveats(reel.ruleset)
    yield ""
    yield "  ply  turn"
    for ply, (row, text) in enumerate(zip(reel.rows, reel.texts, strict=True)):
        told = f"({text})"
        if game.events.roles[row["event"]] == "action":
            told = f"seat {row['seat']}  {game.format_action(game.action_of(row))}"
        yield f"{ply:5}  {row['turn']:4}  {told}"
    yield ""
    last = reel.frames[-1]
    ranks = reel.ranks or [0] * len(last.scores)
    for seat, (score, rank) in enumerate(zip(last.scores, ranks, strict=True)):
        yield f"seat {seat}: {score} points" + (f", rank {rank}" if rank else "")
    if not reel.verdict.ok:
        yield f"no game by its rules: {reel.verdict}"


def _drawing(reel: Reel, frame: Frame, seat: int | None) -> str:
    views = frame.views
    shown = views[0] if seat is None or len(views) == 1 else views[1 + seat]
    return reel.lines.join(shown.picture)


def _chosen(reel: Reel, unit: str) -> list[int]:
    """Frames of a moving picture: the start, those at which a unit ends, the end."""
    units = reel.units()
    if unit not in units:
        there = f"There are: {', '.join(units)}."
        question = did_you_mean(unit, list(units))
        raise ReefsimError(sentences(f"{reel.saved.name}: no step '{unit}'.", question, there))
    places = sorted({0, *units[unit], len(reel.frames) - 1})
    if len(places) <= MOST_FRAMES:
        return places
    return [places[i * (len(places) - 1) // (MOST_FRAMES - 1)] for i in range(MOST_FRAMES)]


def _rasterizer() -> Callable[..., bytes]:
    """What makes pixels of drawings.

    Raises
    ------
    ReefsimError : if it is not installed
    """
    try:
        import PIL  # noqa: F401 - asked for here, so that nothing is played for nothing
        from resvg_py import svg_to_bytes
    except ImportError:
        raise ReefsimError(
            'moving pictures need the extra gif: pip install "reefsim[gif]".'
        ) from None
    return svg_to_bytes


def _write_gif(reel: Reel, file: Path, seat: int | None, places: Sequence[int]) -> None:
    """Write frames one after another, all on a page as large as the largest of them."""
    from PIL import Image

    to_pixels = _rasterizer()
    drawings = [_drawing(reel, reel.frames[place], seat) for place in places]
    zoom = _WIDTH / max(map(_width, drawings))
    drawn = []
    for svg in drawings:
        pixels = to_pixels(
            svg_string=svg,
            zoom=zoom,
            background="#ffffff",
            skip_system_fonts=True,  # a machine may have none
            font_files=[_font_file()],
            sans_serif_family="DejaVu Sans",
        )
        drawn.append(Image.open(io.BytesIO(pixels)).convert("RGB"))
    size = (_WIDTH, max(image.height for image in drawn) + _CAPTION)
    pages = [
        _page(image, size, _caption(reel.frames[place]))
        for image, place in zip(drawn, places, strict=True)
    ]
    palette = _palette(pages)
    indexed = [page.quantize(palette=palette, dither=Image.Dither.NONE) for page in pages]
    content = io.BytesIO()
    indexed[0].save(
        content,
        format="GIF",
        save_all=True,
        append_images=indexed[1:],
        duration=[*[_FRAME_MS] * (len(pages) - 1), _LAST_MS],
        loop=0,
    )
    write_local(file, content.getvalue())


def _width(svg: str) -> float:
    """Width of a drawing in pixels, as it says itself."""
    found = re.search(r'<svg[^>]*? width="([\d.]+)', svg)
    return float(found[1]) if found else _WIDTH


def _font_file() -> str:
    """The font that comes with matplotlib, so that pictures look alike everywhere."""
    import matplotlib

    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


def _caption(frame: Frame) -> str:
    when = f"turn {frame.turn}, round {frame.round}" if frame.turn else "set-up"
    points = "   ".join(f"seat {seat}: {score}" for seat, score in enumerate(frame.scores))
    return f"{when}   {points}"


def _page(image: Any, size: tuple[int, int], caption: str) -> Any:
    """A drawing with a line below it."""
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("RGB", size, "#ffffff")
    page.paste(image, (0, 0))
    place = (size[0] / 2, size[1] - _CAPTION / 2)
    font = ImageFont.truetype(_font_file(), 14)
    ImageDraw.Draw(page).text(place, caption, fill="#222222", font=font, anchor="mm")
    return page


def _palette(pages: Sequence[Any]) -> Any:
    """Colors that suit all pages: those of the first, the middle and the last one."""
    from PIL import Image

    some = [pages[0], pages[len(pages) // 2], pages[-1]]
    width, height = pages[0].size
    sheet = Image.new("RGB", (width, height * len(some)))
    for number, page in enumerate(some):
        sheet.paste(page, (0, number * height))
    return sheet.quantize(_COLORS)
