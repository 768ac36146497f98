"""Prompts: text files filled from an order.

The first line of the task is machine readable. Whatever comes from a document or a program is
quoted, and cannot close its own quotation.
"""

import re
from importlib import resources
from string import Template

from action.agents.questions import QUESTIONS_FILE
from action.order import (
    AgentKind,
    AgentOrder,
    AskingRule,
    RequirementText,
    RetryContext,
    RetryReason,
    SettledQuestion,
)
from action.report import QUESTIONS_AT_ONCE_MAX
from gates.result import GateResult

GATE_LOG_CHARACTERS_MAX = 6_000
ANNOTATIONS_MAX = 20
_NOTHING = "(none)"
# Our quotation marks, in any spelling that a model might take for ours.
_FRAME = re.compile(r"<(\s*/?\s*quoted)", re.IGNORECASE)


def system_prompt() -> str:
    """The same for every order, so that the model's server can cache it."""
    return _text("system.txt")


def task_prompt(order: AgentOrder) -> str:
    return Template(_text("task.txt")).substitute(
        order_id=order.order_id,
        change=order.change,
        attempt=order.attempt,
        title=_one_line(order.title),
        requirements="\n".join(_requirement(one) for one in order.requirements) or _NOTHING,
        context_notes=_context_notes(order),
        protected="\n".join(f"- {path}" for path in order.protected) or _NOTHING,
        retry=_retry(order, order.retry) if order.retry else "",
        settled=_settled(order.settled),
        asking=_asking(order),
    )


def ask_tool_description() -> str:
    return _text("ask_person.txt")


def _context_notes(order: AgentOrder) -> str:
    if not order.bearings:
        return ""
    said = "\n".join(_quoted(text) for text in order.bearings)
    return f"\nWhat holds for every change of this spec, as far as it touches yours:\n\n{said}\n"


def _requirement(requirement: RequirementText) -> str:
    heading = f"## {requirement.id}: {_one_line(requirement.title)}"
    place = f"({requirement.spec_path}:{requirement.line})"
    scenarios = [f"\nScenario:\n{_quoted(scenario)}" for scenario in requirement.scenarios]
    return "\n".join([f"{heading} {place}", _quoted(requirement.statement), *scenarios, ""])


def _retry(order: AgentOrder, retry: RetryContext) -> str:
    return Template(_text("retry.txt")).substitute(
        attempt=order.attempt,
        tree=_tree(order, retry),
        reason=retry.reason.value,
        sentence=_escaped(retry.sentence),
        failed_gates="".join(_failed_gate(result) for result in retry.failed_gates),
        refused_files=_files("Files that were refused", retry.refused_files),
        conflicting_files=_files("Files in conflict with main", retry.conflicting_files),
        main_changed=_main_changed(retry),
    )


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
    lines = "".join(f"- {_one_line(_escaped(path))}\n" for path in paths)
    return f"\n{heading}:\n{lines}" if lines else ""


def _main_changed(retry: RetryContext) -> str:
    if not retry.landed_since and not retry.main_changed:
        return ""
    landed = "".join(f"- {_one_line(_escaped(title))}\n" for title in retry.landed_since)
    diff = f"\nWhat main changed in these files:\n{_quoted(retry.main_changed)}\n"
    said = f"\nLanded on main since your work began; keep what it does:\n{landed}" if landed else ""
    return said + (diff if retry.main_changed else "")


def _settled(questions: tuple[SettledQuestion, ...]) -> str:
    if not questions:
        return ""
    said = "".join(_settled_question(one) for one in questions)
    return Template(_text("settled.txt")).substitute(settled=said)


def _settled_question(one: SettledQuestion) -> str:
    how = "Nobody answered in time, so what you said that you would assume holds:"
    if one.answered_by is not None:
        how = f"Answered by @{one.answered_by}, who may write to this repository:"
    return (
        f"\nQuestion {one.number}, yours:\n{_quoted(one.question)}\n{how}\n{_quoted(one.answer)}\n"
    )


def _asking(order: AgentOrder) -> str:
    match order.asking:
        case AskingRule.OFF:
            return _text("ask_nobody.txt")
        case AskingRule.USED_UP:
            return _text("asked_enough.txt")
        case AskingRule.ALLOWED:
            how = _text("ask_by_tool.txt")
            if order.agent.kind is AgentKind.COMMAND:
                how = Template(_text("ask_by_file.txt")).substitute(file=QUESTIONS_FILE)
            return Template(_text("may_ask.txt")).substitute(
                how=how.strip(), questions_max=QUESTIONS_AT_ONCE_MAX
            )


def _failed_gate(result: GateResult) -> str:
    remarks = [
        f"{one.path}:{one.line_start}: {one.title}: {one.message}"
        for one in result.annotations[:ANNOTATIONS_MAX]
    ]
    said = "\n".join([result.sentence, *remarks, result.log_tail[-GATE_LOG_CHARACTERS_MAX:]])
    return f"\nGate `{result.gate}` {result.ending.value}:\n{_quoted(said)}\n"


def _quoted(text: str) -> str:
    return f"<quoted>\n{_escaped(text.strip())}\n</quoted>"


def _escaped(text: str) -> str:
    return _FRAME.sub(r"< \1", text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _text(name: str) -> str:
    return (resources.files("action.agents.prompts") / name).read_text(encoding="utf-8")
