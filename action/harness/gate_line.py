"""A gate's shell line, started by the harness in the sandbox.

What is judged cannot reach the judge: the harness is in another process namespace, sees itself how the
line ended, and reads the declared files after every process of the line has ended.
"""

from collections.abc import Callable
from dataclasses import dataclass

from action.harness.folder import OrderFolder
from action.harness.saved_checkout import SavedCheckout
from action.sandbox import sandbox as walls
from gates.command_gate import CommandContext, ReportPlace, could_not_run, judge_line
from gates.execute import Command, CommandEnd, CommandOutcome, gate_shell
from gates.failure_locations import FailureLocations
from gates.result import GateDefinition, GateResult
from gates.wording import log_tail

# The exit code of `action.sandbox.enter` if the sandbox could not be built.
_NO_WALLS = 125
REPORT_NAME = "junit.xml"
_NO_WALLS_SAID = "headgate: the sandbox could not be built"


Prepare = Callable[[tuple[walls.Layer, ...]], bool]


@dataclass(frozen=True)
class Place:
    folder: OrderFolder
    sandbox: walls.Sandbox
    saved: SavedCheckout


def judge_gate_line(
    definition: GateDefinition,
    line: str,
    place: Place,
    paths: tuple[str, ...],
    diff_base_sha: str,
    prepare: Prepare = lambda _: True,
) -> GateResult:
    """Run the line on a fresh checkout; `paths` are the candidate's.

    `prepare` changes the checkout first, inside the walls; it may fail.
    """
    folder = place.folder
    layers = place.saved.refresh()
    if not prepare(layers):
        return could_not_run(definition, "The checkout could not be updated.")
    context = CommandContext(
        checkout=place.saved.written,
        diff_base_sha=diff_base_sha,
        locations=FailureLocations(paths, folder.tree),
    )
    timeout_seconds = float(definition.gate_timeout_seconds)
    command = Command(line, folder.tree, {}, timeout_seconds)
    report = ReportPlace(place.saved.out / REPORT_NAME, folder.out / REPORT_NAME)
    return judge_line(
        definition, command, context, report, lambda c: _run(c, place.sandbox, layers)
    )


def _run(
    command: Command, sandbox: walls.Sandbox, layers: tuple[walls.Layer, ...]
) -> CommandOutcome:
    too_long = f"the line is longer than {walls.SHELL_CHARACTERS_MAX:,} characters"
    if len(command.line) > walls.SHELL_CHARACTERS_MAX:
        return CommandOutcome(CommandEnd.NOT_STARTED, None, too_long, 0.0, "")
    if "\0" in command.line:
        return CommandOutcome(
            CommandEnd.NOT_STARTED, None, "the line contains a zero byte", 0.0, ""
        )
    ended = sandbox.run(
        walls.Command(
            (*gate_shell(), "-c", command.line),
            command.folder,
            command.timeout_seconds,
            env=command.environment,
            layers=layers,
        )
    )
    return _outcome(command, ended)


def _outcome(command: Command, ended: walls.CommandResult) -> CommandOutcome:
    kept = ended.output_tail.encode()
    tail = log_tail(kept, max(0, ended.output_bytes - len(kept)))
    seconds = round(ended.seconds, 3)
    if ended.timed_out:
        reason = f"ran longer than {command.timeout_seconds:g} s"
        return CommandOutcome(CommandEnd.TIMED_OUT, None, reason, seconds, tail)
    # The first process of a sandbox says a death by signal as a shell does.
    code = 128 + (ended.signal or 0) if ended.exit_code is None else ended.exit_code
    if code == _NO_WALLS and ended.output_tail.startswith(_NO_WALLS_SAID):
        return CommandOutcome(CommandEnd.NOT_STARTED, None, tail.strip(), seconds, tail)
    return CommandOutcome(CommandEnd.EXITED, code, "", seconds, tail)
