"""Pages in a real browser: no errors, no network, nothing wider than the window."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from reefsim.reporting.ladder import find_ladder
from reefsim.reporting.ladder_page import write_ladder
from reefsim.reporting.render import write_report
from reefsim.testing.toy_runs import ToyArm, toy_run
from tests.reporting.test_ladder_page import SKILL, tournament

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on the PATH")
WIDTHS = (360, 1400)
PAGES = ("report", "single", "ladder", "real")

# What a script in a copy of the page tells: what reaches beyond the window.
PROBE = """
<script>addEventListener("load", () => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const width = document.documentElement.clientWidth;
  const inScroller = e => e.closest(".scroll, pre, svg");
  const wide = [...document.body.querySelectorAll("*")]
    .filter(e => e.getBoundingClientRect().right > width + 1 && !inScroller(e))
    .map(e => e.tagName + "." + e.className);
  parent.postMessage(JSON.stringify({
    width, scroll: document.documentElement.scrollWidth, wide: wide.slice(0, 5),
    dark: getComputedStyle(document.body).backgroundColor,
  }), "*");
})</script>
"""
# A window is never narrower than 500 pixels, a frame in it is. The answer becomes the title.
FRAME = """<!doctype html><title></title><script>
addEventListener("message", event => { document.title = event.data; })
</script><iframe src="copy.html" width="WIDTH" height="1500" style="border: 0"></iframe>
"""


def browse(
    page: Path, profile: Path, width: int, *flags: str, fragment: str = ""
) -> tuple[str, str]:
    """Open a page; its elements and what the browser says of it."""
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
        f"--user-data-dir={profile}", f"--window-size={width},2000", *flags,
        "--virtual-time-budget=4000",
        "--dump-dom", page.as_uri() + fragment,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, done.stderr


def probe(page: Path, folder: Path, width: int, *flags: str) -> dict[str, Any]:
    """What the probe finds on a page in a frame of some width."""
    text = page.read_text(encoding="utf-8")
    copy, frame = folder / "copy.html", folder / "frame.html"
    copy.write_text(re.sub(r"<meta http-equiv[^>]*>", PROBE, text), encoding="utf-8")
    frame.write_text(FRAME.replace("WIDTH", str(width)), encoding="utf-8")
    dom, _ = browse(frame, folder / "profile", 1500, *flags)
    found = re.search(r"<title>(\{.*?\})</title>", dom)
    assert found, dom[:500]
    return dict(json.loads(found[1]))


@pytest.fixture(scope="module")
def pages(tmp_path_factory, request) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("browser")
    mixed = ("strong", "greedy", "greedy")
    arms = [ToyArm("base-table"), ToyArm("steep_hands_everywhere-table", weights=(2, 1, 1))]
    arms += [ToyArm("base-mixed", mixed), ToyArm("steep_hands_everywhere-mixed", mixed)]
    return {
        "report": write_report(toy_run(arms, 60, baseline="base"), folder / "report.html"),
        "single": write_report(toy_run(replicates=60), folder / "single.html"),
        "ladder": write_ladder(find_ladder(tournament(SKILL, 3)), folder / "ladder.html"),
        "real": request.getfixturevalue("real_page"),
    }


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_errors(pages, name, tmp_path):
    dom, log = browse(pages[name], tmp_path / "profile", 1400)
    assert "</footer>" in dom
    assert "CONSOLE" not in log


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_the_window(pages, name, width, tmp_path):
    found = probe(pages[name], tmp_path, width)
    assert found["width"] == width
    assert found["wide"] == []
    assert found["scroll"] <= width


def test_a_page_is_dark_where_the_reader_wants_it(pages, tmp_path):
    shades = []
    for flags in ([], ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]):
        color = probe(pages["single"], tmp_path, 1400, *flags)["dark"]
        shades.append(sum(map(int, re.findall(r"\d+", color)[:3])))
    assert shades[0] > 600 > 200 > shades[1]
