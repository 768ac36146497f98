"""Untrusted text on the terminal of a person who runs the command line"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b2J\u202edrowssap\u2066 [/x] [link=https://e.co]y[/link]"
)
_SPEC = f"# Till {_HOSTILE}\n\n## Requirements\n\n" + "".join(
    f"### REQ-A-{n}: keep {_HOSTILE} {n}\n\nIt MUST keep {_HOSTILE} `{_HOSTILE}`, maybe.\n\n"
    f"- WHEN {_HOSTILE}\n- THEN it is kept\n\n"
    for n in (1, 2)
)
COMMANDS = {
    "plan": ("plan", "specs/till.md"),
    "plan for programs": ("plan", "specs/till.md", "--json"),
    "check": ("spec", "check", "specs/till.md"),
    "show": ("spec", "show", "specs/till.md"),
    "difference": ("spec", "diff", "specs/old.md", "specs/till.md"),
    "coverage": ("coverage",),
    "no such file": ("plan", f"specs/{_HOSTILE[1:]}.md".replace("\0", "")),
}


@pytest.mark.attack(
    "A spec's words with escapes, which rewrite the terminal, its title or its clipboard, or turn a line around",
    held="`bot.entry.terminal.Terminal`: every line of the command line is printed without them",
)
@pytest.mark.parametrize("name", COMMANDS)
def test_text_of_a_spec_never_reaches_the_terminal_as_an_escape(name: str, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "till.md").write_text(_SPEC)
    (tmp_path / "specs" / "old.md").write_text("# Till\n\n### REQ-A-1: keep\n\nIt MUST keep.\n")
    done = subprocess.run(
        (sys.executable, "-m", "bot.entry.cli", *COMMANDS[name]),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert said
    assert not set(said) & {*"\x1b\x07\x9b\u202e\u2066"}
