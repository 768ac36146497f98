"""The built-in agent's tools; all run inside the sandbox.

`bash` keeps its working directory and exported variables from call to call, but no process lives
from one call to the next. The edit tool is a small program that runs inside, because the harness
never writes to the tree while an agent works.
"""

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from action.agents import edit_program
from action.agents.rounds import Rounds
from action.agents.shell_line import FORGET, shell_line, wants_terminal
from action.agents.shown_output import Head, shown_output
from action.sandbox.sandbox import SHELL_CHARACTERS_MAX, Command, CommandResult, Sandbox
from gates.unseen import spelled_out

EDIT_SOURCE = Path(edit_program.__file__).read_text(encoding="utf-8")
BASH = "bash"
QUICK_GATES = "quick_gates"
EDIT = "str_replace_based_edit_tool"
BASH_TIMEOUT_SECONDS = 120
BASH_TIMEOUT_SECONDS_MAX = 600
EDIT_TIMEOUT_SECONDS = 30.0


class BashInput(BaseModel):
    """What the model gives to `bash`; its schema is shown to the model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: str = Field("", description="The command line, as bash reads it.")
    timeout_seconds: int = Field(
        BASH_TIMEOUT_SECONDS,
        ge=1,
        le=BASH_TIMEOUT_SECONDS_MAX,
        description="The command is ended after this time, with everything that it started.",
    )
    restart: bool = Field(
        default=False,
        description="Forget the working directory and variables; no command is run.",
    )


@dataclass(frozen=True)
class ToolAnswer:
    text: str
    is_error: bool


class Tools:
    """The tools over one sandbox and tree; `quick_gates` only where there are some."""

    def __init__(self, sandbox: Sandbox, tree: Path, rounds: Rounds) -> None:
        self._sandbox = sandbox
        self._tree = tree
        self.rounds = rounds

    def use(self, name: str, given: object, seconds_left: float) -> ToolAnswer:
        """Run one call; an unknown tool or unreadable input gives an answer, not an exception."""
        answer = self._use(name, given, seconds_left)
        return replace(answer, text=spelled_out(answer.text))

    def _use(self, name: str, given: object, seconds_left: float) -> ToolAnswer:
        if name == BASH:
            try:
                asked = BashInput.model_validate(given)
            except ValidationError as error:
                return _refused(_bad_input(error))
            return self._bash(asked, seconds_left)
        if name == EDIT:
            return self._edit(given, min(EDIT_TIMEOUT_SECONDS, seconds_left))
        if name == QUICK_GATES and self.rounds.has_gates:
            return ToolAnswer(self.rounds.run(), is_error=False)
        offered = [EDIT, *([QUICK_GATES] if self.rounds.has_gates else [])]
        return _refused(f"There is no tool {name}; there are {', '.join([BASH, *offered])}.")

    def _bash(self, asked: BashInput, seconds_left: float) -> ToolAnswer:
        if asked.restart:
            self._sandbox.run(Command(("bash", "-c", FORGET), self._tree, seconds_left))
            return ToolAnswer("The shell was restarted.", is_error=False)
        if not asked.command.strip():
            return _refused("`command` is missing or empty.")
        if len(asked.command) > SHELL_CHARACTERS_MAX:
            return _refused(
                f"The command is longer than {SHELL_CHARACTERS_MAX} characters; write a file with "
                f"{EDIT} instead."
            )
        program = wants_terminal(asked.command)
        if program is not None:
            return _refused(
                f"Not run: {program} wants a terminal, and there is none. Use {EDIT} for edits, "
                "and commands that end by themselves."
            )
        if refused := self.rounds.contracts.refuse(asked.command):
            return _refused(refused)
        timeout_seconds = min(float(asked.timeout_seconds), seconds_left)
        line = ("bash", "-c", shell_line(asked.command))
        head = Head()
        ended = self._sandbox.run(Command(line, self._tree, timeout_seconds), head.add)
        text = shown_output(head.text, ended.output_tail, ended.output_bytes).rstrip()
        ending = _ending(ended, timeout_seconds)
        shown = "\n".join(part for part in (text, ending) if part)
        return ToolAnswer(shown or "[no output]", is_error=not ended.is_success)

    def _edit(self, given: object, timeout_seconds: float) -> ToolAnswer:
        command = Command(
            (sys.executable, "-I", "-S", "-c", EDIT_SOURCE),
            self._tree,
            timeout_seconds,
            stdin=json.dumps(given).encode(),
        )
        ended = self._sandbox.run(command)
        return ToolAnswer(ended.output_tail or "[no output]", is_error=not ended.is_success)


def _ending(ended: CommandResult, timeout_seconds: float) -> str:
    """How a command ended that did not end well; empty for one that did."""
    if ended.timed_out:
        said = f"[ended after {timeout_seconds:g} s"
        if not ended.output_bytes:
            said += "; if it waits for input: there is none to be had"
        longest = f"{BASH_TIMEOUT_SECONDS_MAX} at most"
        return f"{said}; a slow command may be given more `timeout_seconds`, {longest}]"
    if ended.exit_code == 0:
        return ""
    how = f"signal {ended.signal}" if ended.exit_code is None else f"code {ended.exit_code}"
    return f"[ended with {how}]"


def _bad_input(error: ValidationError) -> str:
    """Which keys were wrong, and which there are."""
    wrong = ", ".join(
        f"`{'.'.join(map(str, one['loc']))}` ({one['msg'].lower()})" for one in error.errors()
    )
    keys = ", ".join(f"`{name}`" for name in BashInput.model_fields)
    return f"Not run: {wrong}. The keys are {keys}."


def _refused(sentence: str) -> ToolAnswer:
    return ToolAnswer(sentence, is_error=True)
