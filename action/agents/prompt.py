"""Prompts: text files filled from an order, nothing else.

The first line of the task is machine readable. Whatever comes from a document or a program is
quoted, and cannot close its own quotation.
"""

from importlib import resources
from string import Template

from action.order import AgentOrder, RequirementText, RetryContext
from gates.result import GateResult

GATE_LOG_CHARACTERS_MAX = 6_000
ANNOTATIONS_MAX = 20
_NOTHING = "(none)"


def system_prompt() -> str:
    """The same for every order, so that it is cached."""
    return _text("system.txt")


def task_prompt(order: AgentOrder) -> str:
    """What this order asks for."""
    return Template(_text("task.txt")).substitute(
        order_id=order.order_id,
        change=order.change,
        attempt=order.attempt,
        title=_one_line(order.title),
        requirements="\n".join(_requirement(one) for one in order.requirements) or _NOTHING,
        bearings=_bearings(order),
        protected="\n".join(f"- {path}" for path in order.protected) or _NOTHING,
        retry=_retry(order.retry, order.attempt) if order.retry else "",
    )


def _bearings(order: AgentOrder) -> str:
    if not order.bearings:
        return ""
    said = "\n".join(_quoted(text) for text in order.bearings)
    return f"\nWhat holds for every change of this spec, as far as it touches yours:\n\n{said}\n"


def _requirement(requirement: RequirementText) -> str:
    heading = f"## {requirement.id}: {_one_line(requirement.title)}"
    place = f"({requirement.spec_path}:{requirement.line})"
    scenarios = [f"\nScenario:\n{_quoted(scenario)}" for scenario in requirement.scenarios]
    return "\n".join([f"{heading} {place}", _quoted(requirement.statement), *scenarios, ""])


def _retry(retry: RetryContext, attempt: int) -> str:
    conflicting = "".join(f"- {path}\n" for path in retry.conflicting_files)
    return Template(_text("retry.txt")).substitute(
        attempt=attempt,
        reason=retry.reason.value,
        sentence=_unclosing(retry.sentence),
        failed_gates="".join(_failed_gate(result) for result in retry.failed_gates),
        conflicting_files=f"\nFiles in conflict with main:\n{conflicting}" if conflicting else "",
    )


def _failed_gate(result: GateResult) -> str:
    remarks = [
        f"{one.path}:{one.line_start}: {one.title}: {one.message}"
        for one in result.annotations[:ANNOTATIONS_MAX]
    ]
    said = "\n".join([result.sentence, *remarks, result.log_tail[-GATE_LOG_CHARACTERS_MAX:]])
    return f"\nGate `{result.gate}` {result.ending.value}:\n{_quoted(said)}\n"


def _quoted(text: str) -> str:
    return f"<quoted>\n{_unclosing(text.strip())}\n</quoted>"


def _unclosing(text: str) -> str:
    return text.replace("</quoted", "</ quoted").replace("<quoted", "< quoted")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _text(name: str) -> str:
    return (resources.files("action.agents.prompts") / name).read_text(encoding="utf-8")
