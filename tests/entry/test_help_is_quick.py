"""`--help` imports nothing that it does not show: 0.3 s of processor time would be felt."""

import subprocess
import sys

PROGRAM = """
import contextlib, sys
from bot.entry.cli import app
with contextlib.suppress(SystemExit):
    app(["--help"])
heavy = {"rich", "pydantic", "flask", "sqlalchemy", "github", "requests", "bot.core"}
sys.stderr.write(" ".join(sorted(heavy & set(sys.modules))))
"""


def test_help_imports_only_what_it_shows() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert "Make the GitHub App in your browser" in done.stdout
    assert done.stderr == ""
