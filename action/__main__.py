"""`python -m action …`: looks whether this Python can run `action.command_line`, and runs it.

Pythons that are too old for the rest read this file and `action.bare_python`.
"""

import atexit
import gc
import json
import sys

from action.bare_python import lacks


def main() -> int:
    # What is there at the end goes with the process, and nobody need look through it for garbage.
    atexit.register(gc.freeze)
    missing = lacks()
    if not missing:
        from action.command_line import main as run

        return run()
    is_doctor = sys.argv[1:2] == ["doctor"]
    if is_doctor and "--json" in sys.argv:
        found = [
            {"name": name, "health": "missing", "says": says, "how": how}
            for name, says, how in missing
        ]
        sys.stdout.write(json.dumps({"findings": found}, indent=2) + "\n")
    else:
        out = sys.stdout if is_doctor else sys.stderr
        out.writelines(
            f"missing  {name}: {says}\n         → {how}\n" for name, says, how in missing
        )
    return 1 if is_doctor else 2


if __name__ == "__main__":
    sys.exit(main())
