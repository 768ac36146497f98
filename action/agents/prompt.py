"""Prompts: text files filled from an order.

The first line of the task is machine readable. Text that comes from a document, a person or a program
stands in a frame that says what it is, and cannot close it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from string import Template
from types import MappingProxyType

from action.agents.questions import QUESTIONS_FILE
from action.agents.threads import THREADS_FILE
from action.order import (
    AgentKind,
    AgentOrder,
    AgentSettings,
    AskingRule,
    RequirementText,
    RetryContext,
    RetryReason,
    SettledQuestion,
    SiblingChange,
    ToldWords,
)
from action.report import QUESTIONS_AT_ONCE_MAX
from gates.result import GateDefinition, GateResult
from gates.unseen import without_unseen_characters

# About 12,000 tokens.
TASK_CHARACTERS_MAX = 48_000
GATE_LOG_CHARACTERS_MAX = 6_000
ANNOTATIONS_MAX = 20
_NOTHING = "(none)"
_NO_FILES: Mapping[str, str] = MappingProxyType({})
# Our frames, in any spelling that a model might take for ours.
_FRAME = re.compile(r"<(\s*+(?:/\s*+)?(?:quoted|requirement|decided|conventions)\b)", re.IGNORECASE)


# What the gates that Headgate brings ask of a change.
BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "scope_check": "no protected path, no link out of the tree, no very large file",
        "secrets": "no key or token that a provider issues, not even a made-up one in a test",
        "junk": "no leftovers of tools and editors, no markers of a conflict",
        "rules": "the patterns in `.headgate/rules/`",
        "guardrails": "no requirement, threshold, limit, check or lint rule is weakened, switched off or silenced",
        "tests": "no existing test is taken away, skipped, weakened or emptied",
        "base_tests": "main's own tests pass on your work",
        "spec_verify": "for each requirement a test that names it, asserts something and passes",
    }
)


@dataclass(frozen=True)
class _Room:
    """How much is shown of what may be cut. Requirements, gates and the plan's words are never cut."""

    conventions: int = 12_000
    siblings_with_files: bool = True
    siblings: bool = True
    context_notes: bool = True
    likely: bool = True
    log: int = GATE_LOG_CHARACTERS_MAX
    diff: int = 12_000


# What is cut first where a task is too long: each line cuts more than the one before it.
_ROOMS = (
    _Room(),
    _Room(conventions=4_000),
    _Room(conventions=0),
    _Room(conventions=0, siblings_with_files=False),
    _Room(conventions=0, siblings=False, likely=False),
    _Room(conventions=0, siblings=False, likely=False, log=2_000, diff=4_000),
    _Room(
        conventions=0,
        siblings=False,
        likely=False,
        log=1_000,
        diff=1_000,
        context_notes=False,
    ),
)


def system_prompt() -> str:
    """The same for every order, so that the model's server can cache it."""
    return _text("system.txt")


def task_prompt(order: AgentOrder, conventions: Mapping[str, str] = _NO_FILES) -> str:
    """The first message; the same bytes for the same order.

    `conventions` are texts of main in which the repository says how it wants its code, by path.
    """
    task = ""
    for room in _ROOMS:
        task = _task(order, conventions, room)
        if len(task) <= TASK_CHARACTERS_MAX:
            break
    return task


def _task(order: AgentOrder, conventions: Mapping[str, str], room: _Room) -> str:
    return Template(_text("task.txt")).substitute(
        order_id=order.order_id,
        change=_one_line(order.change),
        attempt=order.attempt,
        title=_one_line(order.title),
        requirements="\n".join(_requirement(one) for one in order.requirements) or _NOTHING,
        context_notes=_context_notes(order) if room.context_notes else "",
        brief=_brief(order, room),
        artefacts=_artefacts(order),
        gates=_gates(order),
        protected="\n".join(f"- {_one_line(path)}" for path in order.protected) or _NOTHING,
        but_own=" (your two files above are not)" if order.artefacts else "",
        contracts=_contracts(order.agent),
        retry=_retry(order, order.retry, room) if order.retry else "",
        settled=_settled(order.settled),
        told=_told(order.told),
        conventions=_conventions(conventions, room.conventions),
        asking=_asking(order),
    )


def _artefacts(order: AgentOrder) -> str:
    if order.artefacts is None:
        return ""
    return Template(_text("artefacts.txt")).substitute(
        folder=order.artefacts.folder,
        tasks=order.artefacts.tasks_path,
        design=order.artefacts.design_path,
    )


def _contracts(agent: AgentSettings) -> str:
    return _list("\nCommands (patterns) that you must not run", agent.deny) + _list(
        "\nCommands (patterns) that you must have run before you say DONE", agent.before_done
    )


def ask_tool_description() -> str:
    return _text("ask_person.txt")


def bash_tool_description() -> str:
    return _text("bash_tool.txt")


def quick_gates_description() -> str:
    return _text("quick_gates.txt")


def _context_notes(order: AgentOrder) -> str:
    if not order.bearings:
        return ""
    said = "\n".join(_framed("decided", text) for text in order.bearings)
    return f"\nWhat holds for every change of this spec, as far as it touches yours:\n\n{said}\n"


def _requirement(requirement: RequirementText) -> str:
    heading = f"## {_one_line(f'{requirement.id}: {requirement.title}')}"
    place = f"({_one_line(requirement.spec_path)}:{requirement.line})"
    said = [requirement.statement.strip()]
    said += [f"- [ ] Scenario:\n{scenario.strip()}" for scenario in requirement.scenarios]
    joined = "\n\n".join(said)
    return f"{heading} {place}\n{_framed('requirement', joined)}\n"


def _brief(order: AgentOrder, room: _Room) -> str:
    """The plan's words, the other changes, and what was tried."""
    brief = order.brief
    parts = [
        f"In this change: {_one_line(brief.scope)}\n" if brief.scope else "",
        f"Not in this change: {_one_line(brief.left_out)}\n" if brief.left_out else "",
        _list("Files that it probably touches", brief.files),
        _list(
            "It may touch these files and what lies in these places, new files beside them, and tests. "
            "A change of any other file is refused",
            brief.held_to,
        ),
        _list("Further files with its words, or that often change with those", brief.likely)
        if room.likely
        else "",
        _list("It is done when", brief.done),
        _list("Landed on main already, of the same spec", brief.landed),
    ]
    if room.siblings:
        siblings = [_sibling(one, room.siblings_with_files) for one in brief.siblings]
        parts.append(_list("Other changes of the same spec; leave their work to them", siblings))
    said = "\n".join(part for part in parts if part)
    return f"\n# The change in its plan\n\n{said}" if said else ""


def _sibling(one: SiblingChange, with_files: bool) -> str:
    files = f": {', '.join(one.files)}" if one.files and with_files else ""
    return f"{one.title} ({one.state}){files}"


def _gates(order: AgentOrder) -> str:
    """How the work will be judged, and what was installed for it."""
    if not order.gates:
        return ""
    lines = [_gate(gate, gate.name in order.quick_gates) for gate in order.gates]
    said = "\n".join(lines)
    setup = _list(
        "Run before you began, so what it installs is there", [s.run for s in order.setup]
    )
    return (
        "\n# How your work is judged\n\nThese gates run on your work merged with main, in a sandbox "
        f"like yours:\n{said}\n{_quick(order)}{setup}"
        f"{_list('What the tests must show', order.brief.test_plan)}"
    )


def _quick(order: AgentOrder) -> str:
    return _text("when_done.txt") if order.quick_gates else ""


def _gate(gate: GateDefinition, is_quick: bool) -> str:
    built_in = BUILT_IN.get(gate.builtin or "", gate.builtin)
    what = f"`{_one_line(gate.command)}`" if gate.command else f"built in, {built_in}"
    reads = f", its tests are read from {gate.junit}" if gate.junit else ""
    binding = ("" if gate.required else ", a warning only") + (", quick" if is_quick else "")
    return f"- {gate.name}: {what} (at most {gate.gate_timeout_seconds} s{reads}{binding})"


def _conventions(texts: Mapping[str, str], room: int) -> str:
    """Files of main, as many characters as there is room for."""
    parts = []
    for path, text in sorted(texts.items()):
        if room <= 0:
            break
        shown = text.strip()
        cut = f"\n[… the rest is in {path}]" if len(shown) > room else ""
        parts.append(f"{path}:\n{_framed('conventions', shown[:room] + cut)}\n")
        room -= len(shown)
    said = "\n".join(parts)
    return f"\n# What this repository asks of those who work in it\n\n{said}" if said else ""


def _list(heading: str, lines: Sequence[str]) -> str:
    said = "".join(f"- {_one_line(line)}\n" for line in lines)
    return f"{heading}:\n{said}" if said else ""


def _retry(order: AgentOrder, retry: RetryContext, room: _Room) -> str:
    return Template(_text("retry.txt")).substitute(
        attempt=order.attempt,
        tree=_tree(order, retry),
        attempts=_list("The attempts before this one", order.brief.attempts),
        why=_why(order, retry),
        failed_gates="".join(_failed_gate(result, room.log) for result in retry.failed_gates),
        refused_files=_files("Files that were refused", retry.refused_files),
        conflicting_files=_conflict(retry),
        both_changed=_both_changed(retry, room.diff),
    )


def _why(order: AgentOrder, retry: RetryContext) -> str:
    """Not said twice where the last attempt's line says it."""
    again = "" if retry.reason is not RetryReason.GATES_FAILED else _text("see_it_red.txt")
    if order.brief.attempts and retry.sentence in order.brief.attempts[-1]:
        return again
    return f"Why it is tried again:\n{_quoted(retry.sentence)}\n{again}"


def _tree(order: AgentOrder, retry: RetryContext) -> str:
    """What the work tree holds of earlier attempts, and what became of the last one."""
    has_work = order.start_sha != order.base_sha
    parts = [_text("tree_with_work.txt" if has_work else "tree_of_main.txt")]
    if retry.reason is RetryReason.BUNDLE_REFUSED:
        parts.append(_text("tree_without_refused.txt"))
    if retry.reason is RetryReason.AGENT_ENDED and has_work:
        parts.append(_text("tree_unfinished.txt"))
    return " ".join(part.strip() for part in parts)


def _files(heading: str, paths: tuple[str, ...]) -> str:
    lines = "".join(f"- {_one_line(path)}\n" for path in paths)
    return f"\n{heading}:\n{lines}" if lines else ""


def _conflict(retry: RetryContext) -> str:
    files = _files("Files in conflict with main", retry.conflicting_files)
    return files + _text("conflict.txt") if files else ""


def _both_changed(retry: RetryContext, room: int) -> str:
    """What each side of a conflict did since they parted."""
    landed = _list("\nLanded on main since your work began; keep what it does", retry.landed_since)
    return (
        landed
        + _diff("What main changed in these files", retry.main_changed, room)
        + _diff("What the work of earlier attempts changed in them", retry.work_changed, room)
    )


def _diff(heading: str, text: str, room: int) -> str:
    if not text:
        return ""
    left_out = len(text) - room
    cut = f"\n[… {left_out:,} characters more; the files show them]" if left_out > 0 else ""
    return f"\n{heading}:\n{_quoted(text[:room] + cut)}\n"


def _settled(questions: tuple[SettledQuestion, ...]) -> str:
    if not questions:
        return ""
    said = "".join(_settled_question(one) for one in questions)
    return Template(_text("settled.txt")).substitute(settled=said)


def _settled_question(one: SettledQuestion) -> str:
    how = "Nobody answered in time, so what you said that you would assume holds:"
    if one.answered_by is not None:
        how = f"Answered by @{_one_line(one.answered_by)}, who may write to this repository:"
    return (
        f"\nQuestion {one.number}, yours:\n{_quoted(one.question)}\n{how}\n"
        f"{_framed('decided', one.answer)}\n"
    )


def told_now(words: Sequence[ToldWords]) -> str:
    said = Template(_text("told_now.txt"))
    return said.substitute(told=_words(words), threads=_threads(words)).strip()


def _told(words: tuple[ToldWords, ...]) -> str:
    said = Template(_text("told.txt"))
    return said.substitute(told=_words(words), threads=_threads(words)) if words else ""


def _words(words: Sequence[ToldWords]) -> str:
    return "".join(
        f"\n@{_one_line(one.author)}{_place(one)}:\n{_framed('decided', one.text)}\n{_answered(one)}"
        for one in words
    )


def _answered(one: ToldWords) -> str:
    if not one.answered:
        return ""
    return f"Resolved since; an earlier attempt said of it:\n{_framed('quoted', one.answered)}\n"


def _threads(words: Sequence[ToldWords]) -> str:
    """How to answer review threads, if the agent is told of any."""
    if not any(one.thread for one in words):
        return ""
    return "\n" + Template(_text("threads.txt")).substitute(file=THREADS_FILE)


def _place(one: ToldWords) -> str:
    """Where in a review it was said; lines may have moved since."""
    if not one.path:
        return ""
    line = f", line {one.line}" if one.line else ""
    thread = f", thread {one.thread}" if one.thread else ""
    return f", in a review of `{_one_line(one.path)}`{line}{thread}"


def _asking(order: AgentOrder) -> str:
    match order.asking:
        case AskingRule.OFF:
            return _text("ask_nobody.txt")
        case AskingRule.USED_UP:
            return _text("asked_enough.txt")
        case AskingRule.ALLOWED:
            how = _text("ask_by_tool.txt")
            if order.agent.kind is not AgentKind.BUILTIN:
                how = Template(_text("ask_by_file.txt")).substitute(file=QUESTIONS_FILE)
            return Template(_text("may_ask.txt")).substitute(
                how=how.strip(), questions_max=QUESTIONS_AT_ONCE_MAX
            )


def _failed_gate(result: GateResult, log: int) -> str:
    remarks = [
        f"{one.path}:{one.line_start}: {one.title}: {one.message}"
        for one in result.annotations[:ANNOTATIONS_MAX]
    ]
    said = "\n".join([result.sentence, *remarks, result.log_tail[-log:]])
    return f"\nGate `{result.gate}` {result.ending.value}:\n{_quoted(said)}\n"


def _quoted(text: str) -> str:
    return _framed("quoted", text)


def _framed(frame: str, text: str) -> str:
    return f"<{frame}>\n{escaped(text.strip())}\n</{frame}>"


def escaped(text: str) -> str:
    """Without what nobody sees, which may part the letters of a frame."""
    return _FRAME.sub(r"< \1", without_unseen_characters(text))


def _one_line(text: str) -> str:
    return " ".join(escaped(text).split())


def _text(name: str) -> str:
    return (resources.files("action.agents.prompts") / name).read_text(encoding="utf-8")
