"""The modules that a program imports when it starts."""

import subprocess
import sys


def imported_by(statement: str, *options: str) -> set[str]:
    """The modules that a new interpreter has loaded after `statement`; `options` are Python's own."""
    program = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, *options, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())
