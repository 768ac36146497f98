"""What people do in the demo: the commits around the spec, as values.

Pure: a push is a set of edits, applied to whatever the files say by then, because main moves while
the demo runs. An edit whose place is gone is refused, never guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

REPOSITORY = "tidepool"

# Where a spec of the user's own is turned into code.
NEUTRAL_REPOSITORY = "workbench"

SEED_MESSAGE = "Keep the gear shed of the beach club"

NEUTRAL_MESSAGE = "Set up a workbench"

OWN_SPEC_MESSAGE = "Say what is wanted"

SPEC_MESSAGE = "Open the lending desk: the spec of this season"

# The delta folder that the spec commit adds.
DELTA_FOLDER = "openspec/changes/open-the-lending-desk"

# One domain and, with at most eight requirements a change, one change each; and before them the one
# requirement on which four of them stand. The reminders stand on the loans and on the waitlist.
DOMAINS = ("catalogue", "export", "loans", "reminders", "statistics", "waitlist")
CONTRACT = "catalogue-contract"
CHANGES = (CONTRACT, *DOMAINS)

# The change whose first attempt a gate stops.
WRONG_FIRST = "loans"

# The change in the middle of which its runner is killed; another one where that moment was missed.
INTERRUPTED = "export"

# The table of commands: every change but the catalogue's own puts its lines into it.
SHARED_FILE = "src/tidepool/commands/__init__.py"


class EditRefusedError(ValueError):
    """The text that an edit replaces is not in its file exactly once."""


@dataclass(frozen=True)
class Edit:
    """Replace `before`, which must occur once in the file, by `after`."""

    path: str
    before: str
    after: str


@dataclass(frozen=True)
class Push:
    author: str
    message: str
    edits: tuple[Edit, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(edit.path for edit in self.edits))


def contents_after(push: Push, contents: Mapping[str, str]) -> dict[str, str]:
    """The files of a push with its edits made; `contents` holds at least them, as they are now."""
    changed = {path: contents[path] for path in push.paths}
    for edit in push.edits:
        if changed[edit.path].count(edit.before) != 1:
            raise EditRefusedError(f"{edit.path} does not hold {edit.before!r} exactly once")
        changed[edit.path] = changed[edit.path].replace(edit.before, edit.after)
    return changed


# Pushed while changes are in flight: it merges with all of them and breaks none.
PERSON_PUSH = Push(
    author="Marta",
    message="Open on Sundays until six, and say which version this is",
    edits=(
        Edit(
            "docs/opening-hours.md",
            "| Sunday | 9:00 to 16:00 |",
            "| Sunday | 9:00 to 18:00 |",
        ),
        Edit(
            "README.md",
            "## Working on it\n",
            "The shed's hours are in `docs/opening-hours.md`.\n\n## Working on it\n",
        ),
        Edit(
            "src/tidepool/cli.py",
            '    parser.add_argument("--shed"',
            '    parser.add_argument("--version", action="version", version=__version__)\n'
            '    parser.add_argument("--shed"',
        ),
        Edit(
            "src/tidepool/cli.py",
            "from tidepool import store\n",
            "from tidepool import __version__, store\n",
        ),
    ),
)

# How to get a true conflict: pushed before the loans have landed, this puts a line exactly where
# they put theirs. The loans' next attempt keeps both.
CONFLICTING_PUSH = Push(
    author="Marta",
    message="Let people look at gear, too",
    edits=(
        Edit(
            SHARED_FILE,
            '    "show": "tidepool.commands.show",\n',
            '    "show": "tidepool.commands.show",\n    "look": "tidepool.commands.show",\n',
        ),
    ),
)
