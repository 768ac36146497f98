"""The built-in agent's two tools; both run inside the sandbox.

`bash` keeps its working directory and exported variables from call to call (in a file below the
sandbox's home), but no process lives from one call to the next. The edit tool is a small program
that runs inside, because the harness never writes to the tree while an agent works.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from action.agents import edit_program
from action.sandbox.sandbox import SHELL_CHARACTERS_MAX, Command, CommandResult, Sandbox

EDIT_SOURCE = Path(edit_program.__file__).read_text(encoding="utf-8")
BASH = "bash"
EDIT = "str_replace_based_edit_tool"
# Enough for a failing test's output; the model can look up more in files.
OUTPUT_CHARACTERS_MAX = 16_000
BASH_TIMEOUT_SECONDS = 300.0
EDIT_TIMEOUT_SECONDS = 30.0

_KEPT = '"$HOME/.headgate-shell"'
_BEFORE = f"""\
if [ -f {_KEPT}/env ]; then . {_KEPT}/env 2>/dev/null; cd "$(cat {_KEPT}/cwd)" 2>/dev/null; fi
trap 'mkdir -p {_KEPT}; pwd >{_KEPT}/cwd; declare -px >{_KEPT}/env' EXIT
"""


class _BashInput(BaseModel):
    model_config = ConfigDict(frozen=True)

    command: str = ""
    restart: bool = False


@dataclass(frozen=True)
class ToolAnswer:
    text: str
    is_error: bool


class Tools:
    """Both tools over one sandbox and tree."""

    def __init__(self, sandbox: Sandbox, tree: Path) -> None:
        self._sandbox = sandbox
        self._tree = tree

    def use(self, name: str, given: object, seconds_left: float) -> ToolAnswer:
        """Run one call; an unknown tool or unreadable input gives an answer, not an exception."""
        if name == BASH:
            try:
                asked = _BashInput.model_validate(given)
            except ValidationError:
                return ToolAnswer("The input needs `command` or `restart`.", is_error=True)
            return self._bash(asked, min(BASH_TIMEOUT_SECONDS, seconds_left))
        if name == EDIT:
            return self._edit(given, min(EDIT_TIMEOUT_SECONDS, seconds_left))
        return ToolAnswer(f"There is no tool {name}.", is_error=True)

    def _bash(self, asked: _BashInput, timeout_seconds: float) -> ToolAnswer:
        if asked.restart:
            self._sandbox.run(
                Command(("bash", "-c", f"rm -rf {_KEPT}"), self._tree, timeout_seconds)
            )
            return ToolAnswer("The shell was restarted.", is_error=False)
        if len(asked.command) > SHELL_CHARACTERS_MAX:
            return ToolAnswer(
                f"The command is longer than {SHELL_CHARACTERS_MAX} characters; write a file with "
                f"{EDIT} instead.",
                is_error=True,
            )
        line = _BEFORE + asked.command
        ended = self._sandbox.run(Command(("bash", "-c", line), self._tree, timeout_seconds))
        text = shortened(ended)
        if ended.timed_out:
            text += f"\n[ended after {timeout_seconds:g} s]"
        elif ended.exit_code != 0:
            how = f"signal {ended.signal}" if ended.exit_code is None else f"code {ended.exit_code}"
            text += f"\n[ended with {how}]"
        return ToolAnswer(text.strip() or "[no output]", is_error=not ended.is_success)

    def _edit(self, given: object, timeout_seconds: float) -> ToolAnswer:
        command = Command(
            (sys.executable, "-I", "-S", "-c", EDIT_SOURCE),
            self._tree,
            timeout_seconds,
            stdin=json.dumps(given).encode(),
        )
        ended = self._sandbox.run(command)
        return ToolAnswer(ended.output_tail or "[no output]", is_error=not ended.is_success)


def shortened(ended: CommandResult) -> str:
    """The end of the output, with a remark where its beginning is missing."""
    text = ended.output_tail[-OUTPUT_CHARACTERS_MAX:]
    if ended.output_bytes > len(text.encode()):
        return f"[{ended.output_bytes} bytes in all; the end of it:]\n{text}"
    return text
