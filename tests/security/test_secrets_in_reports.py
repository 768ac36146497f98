"""The server scans reports of runners for secrets again, as it trusts no runner."""

from collections.abc import Callable
from pathlib import Path

import pytest

from action.redaction import GONE, redacted
from action.report import (
    AgentEnding,
    AgentQuestion,
    AgentReport,
    GateOrderReport,
    Report,
    ThreadAccount,
)
from bot.core.values.ids import OrderId
from bot.shell.orders import hand_in
from gates.result import Annotation, AnnotationLevel, Ending, GateReport, GateResult, Judges
from tests.testkit.house import house
from tests.testkit.linear import grows_with_the_text, repeated
from tests.testkit.specs import requirement, spec

# Put together here: whoever looks through our own files finds none.
KEY = "sk-ant-" + "api03-" + "x" * 40
TOKEN = "ghp" + "_" + "A1" * 18
SAID = f"The key is {KEY}, the token {TOKEN}."


def agent_report(order: OrderId) -> AgentReport:
    return AgentReport(
        order_id=order,
        ending=AgentEnding.GAVE_UP,
        sentence=SAID,
        transcript_tail=f"line\n{SAID}",
        restarts=(SAID,),
        questions=(AgentQuestion(question=SAID, why=SAID, choices=(SAID, "b"), assumption=SAID),),
        left_out=(KEY,),
        accounts=(ThreadAccount(thread=1, text=SAID), ThreadAccount(thread=2, text="Done.")),
    )


def gate_report(order: OrderId) -> GateOrderReport:
    result = GateResult(
        gate="tests",
        judges=Judges.TREE,
        ending=Ending.FAILED,
        sentence=SAID,
        log_tail=SAID,
        annotations=(
            Annotation(
                path="a.py",
                line_start=1,
                line_end=1,
                level=AnnotationLevel.FAILURE,
                title=SAID,
                message=SAID,
            ),
        ),
        failed_tests=(f"a.py::test[{KEY}]",),
    )
    report = GateReport(
        candidate_sha="0" * 40, tree_sha="1" * 40, definition_hash="d", results=(result,)
    )
    return GateOrderReport(order_id=order, sentence=SAID, report=report)


@pytest.mark.attack(
    "A runner hands in an agent's questions, accounts of threads, sentences and logs with secrets in them",
    held="`bot.shell.orders.hand_in`: every text of a report is looked through again",
)
@pytest.mark.parametrize("made", [agent_report, gate_report])
def test_texts_of_a_report_contain_no_secret(
    tmp_path: Path, made: Callable[[OrderId], Report]
) -> None:
    with house(tmp_path) as shop:
        shop.start(spec(requirement("TILL")))
        lease = shop.runner.take()
        assert lease is not None
        token, order = lease.grant.lease_token, OrderId(lease.order.order_id)
        said = made(order)
        hand_in(shop.ports, token, order, said)
        facts = shop.state.facts
        assert facts is not None
        kept = shop.ports.order_store.entries(facts.id, (order,))[order].report
        assert kept is not None
        written = kept.model_dump_json()
        assert KEY not in written
        assert TOKEN not in written
        expected = said.model_dump_json().replace(KEY, GONE).replace(TOKEN, GONE)
        assert written == expected
        for file in shop.settings.var.rglob("*"):
            assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


@pytest.mark.attack(
    "A runner hands in a report that is nothing but keys, each another one",
    held="`action.redaction.redacted`: a text with more than 200 secrets is not shown at all",
)
def test_a_text_of_keys_is_looked_through_in_linear_time() -> None:
    key = "ghp" + "_" + "a" * 36 + "{n}\n"
    small, large = (repeated("", key, size) for size in (40_000, 320_000))
    assert grows_with_the_text(redacted, small, large)
    assert redacted(large) == GONE
    assert redacted(repeated("", key, 4_000)).count(GONE) > 80
