"""`python -m bot.localhub.model_server --script FILE --port P`: the scripted model by itself."""

import argparse
import sys
from pathlib import Path

from bot.localhub.model_server.script import ScriptError, load_script
from bot.localhub.model_server.server import LOOPBACK, serve


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bot.localhub.model_server", description=__doc__
    )
    parser.add_argument("--script", type=Path, required=True, help="the YAML file to play")
    parser.add_argument("--host", default=LOOPBACK, help="the address to listen on")
    parser.add_argument("--port", type=int, required=True, help="the port to listen on")
    given = parser.parse_args(arguments)
    try:
        script = load_script(given.script)
    except (OSError, ScriptError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    try:
        serve(script, given.host, given.port)
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
