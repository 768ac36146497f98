"""The locks that are parts of others: what a runner installs, and what builds the package.

`make runner-lock` writes them out of requirements.lock and requirements-dev.lock.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from action.bare_python import PACKAGES

ROOT = Path(__file__).parents[2]
RUNNER, BUILD = "action/requirements.lock", "requirements-build.lock"

_BEGIN = re.compile(r"\n(?=[A-Za-z0-9_.-]+==)")
_VIA = re.compile(r"^    #\s+(?:via )?([a-z0-9_.-]+)\s*$", re.MULTILINE)


def locks() -> Mapping[str, str]:
    """Each lock's text by its path."""
    note = "# Written by `make runner-lock` out of {}. Do not edit.\n"
    return {
        RUNNER: note.format("requirements.lock")
        + _part((ROOT / "requirements.lock").read_text(), PACKAGES.values()),
        BUILD: note.format("requirements-dev.lock")
        + _part((ROOT / "requirements-dev.lock").read_text(), ["setuptools"]),
    }


def _part(lock: str, wanted: Iterable[str]) -> str:
    """These packages and all that they need, with their hashes."""
    blocks = {block.partition("==")[0]: block for block in _BEGIN.split(lock)[1:]}
    needs: dict[str, set[str]] = {}
    for name, block in blocks.items():
        for parent in _VIA.findall(block):
            needs.setdefault(parent, set()).add(name)
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += needs.get(name, ())
    lines = (line for name in sorted(found) for line in blocks[name].splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.lstrip().startswith("#"))


def main() -> None:
    """Write them."""
    for path, text in locks().items():
        (ROOT / path).write_text(text)


if __name__ == "__main__":
    main()
