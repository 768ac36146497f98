"""`make screenshots`: the demo is played, and localhub's pages are photographed as it goes on.

Each picture has its moment: the plan before it is approved, changes under way, a gate that refuses
with its remarks, what landed, and main's history. The browser is the machine's Chromium, or the one
that Playwright has installed. A person judges what is seen.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import FloatRect, Page, sync_playwright
from rich.console import Console

from bot.core.journal.state import RepositoryState
from bot.core.state.candidates import state_shown
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.demo.incidents import Incidents
from bot.demo.material import story
from bot.demo.scenario import own_scenario
from bot.demo.screen import open_screen
from bot.demo.system import DemoSystem, running_system
from tests.needs import program

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

# As wide as a README shows pictures, and no higher than a screen or so.
_WIDTH = 1180
_HEIGHT_MAX = 800
# So that a clone of the repository does not carry a photo album.
_BYTES_MAX = 200_000
# Where an element begins on its page, with a little air and the heading above it.
_AIR = 64
_TOP = f"element => element.getBoundingClientRect().top + scrollY - {_AIR}"
_PATIENCE_SECONDS = 400.0
_BEAT_SECONDS = 0.3
_FIRST_COMMENT = ".box[id]"
# So many landed changes make a picture with every colour in it.
_LANDED_MIN = 3


@dataclass
class Photographer:
    """Takes each picture once; `candidates` are the commits that gates have spoken about."""

    system: DemoSystem
    page: Page
    folder: Path
    tracking: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    candidates: dict[Sha, None] = field(default_factory=dict)

    def shoot(self, name: str, path: str, around: str = "header", before: str = "") -> None:
        """A page of the repository from one element on until before another; a screen at most."""
        if name in self.taken:
            return
        self.page.goto(f"{self.system.hub_url}/{self.system.repository}{path}")
        top = max(0, int(self.page.locator(around).first.evaluate(_TOP)))
        bottom = int(self.page.evaluate("document.body.scrollHeight"))
        if before:
            bottom = int(self.page.locator(before).first.evaluate(_TOP)) + _AIR
        place = self.folder / f"{name}.png"
        height = min(_HEIGHT_MAX, bottom - top)
        clip: FloatRect = {"x": 0, "y": top, "width": _WIDTH, "height": height}
        self.page.screenshot(path=place, clip=clip, full_page=True)
        self.taken[name] = place.stat().st_size

    def look(self, state: RepositoryState) -> None:
        """Whatever has its moment now."""
        changes = state.changes.values()
        landed = sum(1 for c in changes if c.landed is not None)
        under_way = {ChangeState.WORKING.value, OfferStage.JUDGING.value}
        if landed >= _LANDED_MIN and any(state_shown(state, c) in under_way for c in changes):
            self.shoot("progress", f"/issues/{self.tracking}", "figure.diagram", _FIRST_COMMENT)
        if "refused" in self.taken:
            return
        self.candidates |= {c.sha: None for c in state.candidates.values() if c.sha}
        for sha in self.candidates:
            runs = self.system.api("GET", f"/commits/{sha}/check-runs").json()["check_runs"]
            for run in runs:
                if run["conclusion"] == "failure" and run["output"]["annotations_count"]:
                    self.shoot("refused", f"/runs/{run['id']}")

    def look_back(self, state: RepositoryState) -> None:
        """What is there when all has landed."""
        told = next(c for c in state.changes.values() if c.slug == story.WRONG_FIRST)
        self.shoot("change", f"/issues/{told.issue}")
        self.shoot("pull", f"/pull/{told.pull}")
        self.shoot("report", f"/issues/{self.tracking}")
        self.shoot("history", "/commits")


@contextmanager
def _browser() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"),
            # Containers have no user namespaces for its sandbox; it sees our own pages only.
            args=["--no-sandbox"],
        )
        yield browser.new_page(
            viewport={"width": _WIDTH, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        browser.close()


def _play(system: DemoSystem, page: Page, folder: Path, console: Console) -> Photographer:
    system.push_spec()
    tracking = system.wait_for_tracking_issue(_PATIENCE_SECONDS)
    photographer = Photographer(system, page, folder, tracking)
    photographer.shoot("plan", f"/issues/{tracking}")
    system.approve(tracking)
    until = time.monotonic() + _PATIENCE_SECONDS
    with open_screen(console, system.repository) as screen:
        incidents = Incidents(system, screen, kills=False)
        while not system.is_closed(tracking):
            if time.monotonic() > until:
                raise SystemExit("The demo did not come to its end; no pictures of it.")
            system.processes.check()
            state = system.state()
            incidents.cause_due(state)
            photographer.look(state)
            time.sleep(_BEAT_SECONDS)
    photographer.look_back(system.state())
    return photographer


def main() -> None:
    """Play, photograph, and say what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    program("chromium")
    asked.folder.mkdir(parents=True, exist_ok=True)
    console = Console()
    with (
        tempfile.TemporaryDirectory(prefix="headgate-pictures-") as scratch,
        running_system(Path(scratch).resolve(), own_scenario("")) as system,
        _browser() as page,
    ):
        taken = _play(system, page, asked.folder, console).taken
    for name, size in taken.items():
        console.print(f"{asked.folder / name}.png: {size / 1000:.0f} kB")
    if too_large := [name for name, size in taken.items() if size > _BYTES_MAX]:
        sys.exit(f"larger than {_BYTES_MAX // 1000} kB: {', '.join(too_large)}")


if __name__ == "__main__":
    main()
