"""Which modules a program has imported when it starts."""

import subprocess
import sys


def imported_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after an import statement."""
    program = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())
