"""An agent that is a program, run inside the sandbox; its adapter says how.

It reaches the model only through the harness's proxy. Its exit code is a hint; the tree decides (an
agent's program may exit with 0 although every tool was denied). A program that is not there, or a model
that does not answer, is nobody's attempt.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from action.agents.adapters.protocol import (
    Adapter,
    Answered,
    Began,
    Called,
    Event,
    Failed,
    Said,
    Start,
    Told,
)
from action.agents.budget import Budget
from action.agents.contact import ModelAccess, deferred
from action.agents.contracts import Contracts
from action.agents.cut_text import beginning, end
from action.agents.event_log import EventLog
from action.agents.idle_watch import IdleWatch
from action.agents.outcome import AgentOutcome, Transcript, stated_end
from action.agents.prompt import told_now
from action.agents.restart import NOT_RESUMED, restart
from action.agents.rounds import Rounds
from action.report import AgentEnding, Obstacle
from action.sandbox.sandbox import Command, CommandResult, Sandbox

TAIL_CHARACTERS = 300
# A line that is longer is read as far as this.
LINE_BYTES_MAX = 1024**2
# What is noted of one thing that a tool said.
NOTED_CHARACTERS_MAX = 8_000
NUDGE = (
    "You did nothing for a long time and were ended. Nothing here answers a prompt, and nobody is at the "
    "keyboard. Go on from what is in the tree, with commands that end by themselves, and end with DONE "
    "on the last line, or with GIVE UP: and why."
)
_WORKED_BEFORE = (
    "You have worked on this already: `git status` and `git diff` show what is in the tree.\n\n"
)
_HANGS = "The agent says that it is done. Its program did not end, so Headgate ended it."
# POSIX, "Exit Status for Commands".
_NOT_STARTED = {126: "cannot be executed", 127: "was not found"}


@dataclass(frozen=True)
class Place:
    """Where the program runs, its way to the model, and how long it may do nothing (0: for ever)."""

    sandbox: Sandbox
    tree: Path
    model: ModelAccess
    budget: Budget
    quiet_seconds: float = 0.0


def run_command_agent(
    adapter: Adapter,
    told: Told,
    place: Place,
    rounds: Rounds,
    say: Callable[[str], None],
    events: EventLog | None = None,
) -> tuple[AgentOutcome, Transcript]:
    """Run it to its end or its time limit, and again where there is more to say to it."""
    transcript = Transcript(events)
    # Not `whole`: what all orders begin with says nothing of this one.
    transcript.add("task", told.text)
    run = _Run(adapter, place, rounds, transcript, told.whole)
    finished: AgentOutcome | None = None
    while True:
        listener = Listener(adapter, transcript, say, rounds.contracts, place.sandbox.end_running)
        outcome, more = run.once(told, listener)
        is_crashed = outcome.ending is AgentEnding.CRASHED
        if not more:
            # Who was done, and could not be started again to hear of a fault, has still done its work.
            return finished if is_crashed and finished is not None else outcome, transcript
        if outcome.ending is AgentEnding.FINISHED:
            finished = outcome
        session = "" if run.is_lost else listener.session or told.session
        last = place.budget.last_answer(told.model)
        begins = NOT_RESUMED if run.is_lost else restart(session, last)
        transcript.restarted(begins.why)
        told = replace(
            told,
            text=more,
            whole=f"{run.task}\n\n{_WORKED_BEFORE}{more}",
            session=session if begins.goes_on else "",
        )


@dataclass
class _Run:
    """What outlives one start of the program. `is_lost`: its conversation is not there any more."""

    adapter: Adapter
    place: Place
    rounds: Rounds
    transcript: Transcript
    task: str
    is_nudged: bool = False
    is_lost: bool = False

    def once(self, told: Told, listener: "Listener") -> tuple[AgentOutcome, str]:
        """How one start ended, and what there is to say to the program; empty where it may end."""
        place, budget = self.place, self.place.budget
        quiet = IdleWatch(place.tree, budget, place.quiet_seconds, place.sandbox.end_running)
        turns = budget.turns
        ended = _start(self.adapter.start(told), told.given, place, listener, quiet)
        if quiet.has_ended_it and listener.is_done:
            outcome = AgentOutcome(AgentEnding.FINISHED, _HANGS)
            more = self._more(outcome, listener)
        elif quiet.has_ended_it:
            outcome, more = _quiet(place, self.is_nudged), "" if self.is_nudged else NUDGE
            self.is_nudged = True
        else:
            outcome = _outcome(ended, place, listener)
            # Without a request it did not find the conversation that it should resume.
            is_unused = bool(told.session) and budget.turns == turns
            self.is_lost = is_unused and outcome.ending is AgentEnding.CRASHED
            more = told.text if self.is_lost else self._more(outcome, listener)
        if more and more != told.text:
            self.transcript.add("harness", more)
        return outcome, more

    def _more(self, outcome: AgentOutcome, listener: "Listener") -> str:
        is_finished = outcome.ending is AgentEnding.FINISHED
        if listener.is_interrupted and self.place.budget.over() is None:
            return self._words()
        if is_finished and listener.session and self.transcript.events.has_told:
            return self._words()
        return self.rounds.red() if is_finished else ""

    def _words(self) -> str:
        """What people said; also part of the task, for a conversation that begins anew."""
        words = told_now(self.transcript.events.take_told())
        self.task = f"{self.task}\n\n{words}"
        return words


def _start(
    start: Start, given: Path, place: Place, listener: "Listener", quiet: IdleWatch
) -> CommandResult:
    for name, text in start.files.items():
        file = given / name
        file.write_text(text, encoding="utf-8")
        file.chmod(0o644)
    command = Command(
        start.argv,
        place.tree,
        place.budget.seconds_left,
        env=start.env,
        proxies=place.model.proxies,
        stdin=start.stdin.encode(),
    )

    def hear(chunk: bytes) -> None:
        quiet.hear(chunk)
        listener.hear(chunk)

    with quiet.during():
        ended = place.sandbox.run(command, hear)
    listener.finish(ended)
    return ended


class Listener:
    def __init__(
        self,
        adapter: Adapter,
        transcript: Transcript,
        say: Callable[[str], None],
        contracts: Contracts | None = None,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        self._contracts = contracts or Contracts()
        self._adapter = adapter
        self._transcript = transcript
        self._say = say
        self._line = bytearray()
        self._events = 0
        self._calls = 0
        self._open_calls = 0
        self._end = end
        self.session = ""
        self.said = ""
        self.failure = ""
        self.is_interrupted = False

    @property
    def is_done(self) -> bool:
        """Whether it said so, and has done nothing since."""
        stated = stated_end(self.said)
        return stated is not None and stated.ending is AgentEnding.FINISHED

    def hear(self, chunk: bytes) -> None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._add(line)
            self._read()
        self._add(rest)

    def finish(self, ended: CommandResult) -> None:
        """Read the last line, which may have no newline; a program without events is shown by its output."""
        self._read()
        if not self._events:
            self._transcript.add("command", ended.output_tail)

    def _add(self, piece: bytes) -> None:
        self._line += piece[: max(0, LINE_BYTES_MAX - len(self._line))]

    def _read(self) -> None:
        line = self._line.decode("utf-8", "replace")
        self._line.clear()
        for event in self._adapter.read(line):
            self._events += 1
            self._note(event)

    def _note(self, event: Event) -> None:
        match event:
            case Began(session):
                self.session = session
            case Said(text):
                self.said, self.failure = text, ""
                self._transcript.add("agent", text)
            case Called(tool, given):
                if self.is_done:
                    # It goes on: these were not its last words.
                    self.said = ""
                self.failure = ""
                self._calls += 1
                self._open_calls += 1
                self._contracts.saw(given)
                self._say(f"call {self._calls}: {tool}")
                self._transcript.add(
                    f"agent calls {tool}", beginning(given, NOTED_CHARACTERS_MAX), tool
                )
            case Answered(tool, text):
                self._open_calls -= 1
                self._transcript.add(f"{tool} answered", end(text, NOTED_CHARACTERS_MAX))
                self._interrupt()
            case Failed(sentence):
                self.failure = sentence
                self._transcript.add("program", sentence)

    def _interrupt(self) -> None:
        """End the program between two turns, where people have spoken and it can go on afterwards."""
        can_go_on = self._adapter.is_spoken_to and self.session and self._open_calls <= 0
        if can_go_on and self._transcript.events.has_told and not self.is_interrupted:
            self.is_interrupted = True
            self._end()


def _outcome(ended: CommandResult, place: Place, listener: Listener) -> AgentOutcome:
    budget = place.budget
    over = budget.over()
    if ended.timed_out:
        limit = budget.limits.agent_timeout_seconds
        return AgentOutcome(AgentEnding.OUT_OF_TIME, f"Headgate ended the agent after {limit} s.")
    if over is not None and over.ending is not AgentEnding.OUT_OF_TIME:
        return AgentOutcome(over.ending, over.sentence)
    if place.model.contact.trouble is not None:
        return place.model.contact.trouble
    if place.model.contact.has_declined:
        return AgentOutcome(AgentEnding.GAVE_UP, "The model declined the task.")
    stated = stated_end(listener.said)
    if stated is not None and stated.ending is AgentEnding.GAVE_UP:
        return stated
    # Some end with 0 whatever became of their last request.
    if ended.is_success and (listener.is_done or not listener.failure):
        sentence = "The agent's command ended with code 0."
        return stated or AgentOutcome(AgentEnding.FINISHED, sentence)
    return _failed(ended, budget, listener)


def _quiet(place: Place, nudged: bool) -> AgentOutcome:
    minutes = f"{place.quiet_seconds / 60:g} minutes"
    again = ", even after a restart" if nudged else ""
    sentence = (
        f"The agent did nothing for {minutes}{again}: no request, no output, no change of its tree."
    )
    return AgentOutcome(AgentEnding.OUT_OF_TIME, sentence)


def _failed(ended: CommandResult, budget: Budget, listener: Listener) -> AgentOutcome:
    said = listener.failure or ended.output_tail
    tail = " ".join(said.split())[-TAIL_CHARACTERS:]
    # An agent that has asked the model was there; then a program of its own was missing.
    if ended.exit_code in _NOT_STARTED and not budget.turns:
        missing = f"A program of the agent's command {_NOT_STARTED[ended.exit_code]}"
        sentence = f"{missing} (exit code {ended.exit_code}). Its output: {tail}"
        return deferred(Obstacle.PROGRAM_MISSING, sentence)
    how = f"signal {ended.signal}" if ended.exit_code is None else f"code {ended.exit_code}"
    return AgentOutcome(
        AgentEnding.CRASHED, f"The agent's command ended with {how}. Its last output: {tail}"
    )
