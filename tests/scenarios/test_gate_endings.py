"""The five endings of a gate in check runs; only one of them is a pass."""

from pathlib import Path

import pytest

from action.order import AgentOrder
from action.report import GateOrderReport
from tests.testkit.house import House, house
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
JUNIT = """\
<testsuite name="till" tests="2" failures="1">
  <testcase classname="till" name="sums_up" file="src/till.txt" line="2">
    <failure message="expected 5, got 4">src/till.txt:2: expected 5, got 4</failure>
  </testcase>
  <testcase classname="till" name="opens"/>
</testsuite>
"""
WRITES_A_REPORT = (
    "{ mkdir -p reports; echo '<testsuite><testcase name=\"a\"/></testsuite>' > reports/a.xml; }"
)


def with_gate(*lines: str) -> str:
    """A policy with one gate more, of one attempt; main, which has no `src`, passes it."""
    gate = "".join(f"    {line}\n" for line in lines)
    return (
        "version: 1\nquiet_seconds: 0\nattempts_max: 1\ngates:\n"
        f"  look:\n    run: test -f gate.sh\n  judge:\n{gate}"
    )


@pytest.mark.parametrize(
    ("gate", "conclusion", "title"),
    [
        (
            ("run: test ! -d src || (echo too short; exit 3)",),
            "failure",
            "The command exited with 3",
        ),
        (("run: test ! -d src || sleep 30", "timeout_seconds: 1"), "timed_out", "was ended"),
        (("run: test ! -d src || kill -SEGV $$",), "failure", "was ended by SIGSEGV"),
        (
            ("run: test ! -d src || no-such-program --all",),
            "action_required",
            "A program that the command needs",
        ),
        (
            (f"run: test -d src || {WRITES_A_REPORT}", "junit: reports/*.xml"),
            "action_required",
            "wrote no JUnit report to the declared place",
        ),
    ],
    ids=["failed", "timed out", "crashed", "could not run", "no report"],
)
def test_a_gate_that_did_not_pass_shows_why_and_the_change_does_not_land(
    tmp_path: Path, gate: tuple[str, ...], conclusion: str, title: str
) -> None:
    with house(tmp_path, policy=with_gate(*gate)) as shop:
        tracking = shop.start(SHOP)
        shop.work()

        head = shop.pull("Make the till work")["head"]["sha"]
        checks = shop.checks(head)
        assert {name: seen.conclusion for name, seen in checks.items()} == {
            "headgate/verdict": "failure",
            "headgate/gate/judge": conclusion,
        }
        assert title in checks["headgate/gate/judge"].title
        assert "| `look` | passed |" in checks["headgate/verdict"].summary
        assert TILL not in shop.main_files()
        assert shop.issue(tracking)["state_reason"] == "not_planned"


def test_the_log_of_a_failed_gate_is_in_its_check_run(tmp_path: Path) -> None:
    with house(
        tmp_path, policy=with_gate("run: test ! -d src || (echo the drawer is stuck; exit 1)")
    ) as shop:
        shop.start(SHOP)
        shop.work()
        head = shop.pull("Make the till work")["head"]["sha"]
        assert "the drawer is stuck" in shop.checks(head)["headgate/gate/judge"].text


def test_failed_tests_are_annotations_and_reach_the_agent(tmp_path: Path) -> None:
    policy = with_gate("run: 'cp junit.txt $HEADGATE_JUNIT; ! grep -q failure junit.txt'").replace(
        "attempts_max: 1", "attempts_max: 2"
    )

    def agent(order: AgentOrder, tree: Path) -> None:
        writes_a_file(order, tree)
        (tree / "src" / "till.txt").write_text("two and two\nis four\n")
        (tree / "junit.txt").write_text(JUNIT)

    green = {"junit.txt": '<testsuite><testcase name="a"/></testsuite>'}
    with house(tmp_path, green, policy) as shop:
        shop.runner.agent = agent
        shop.start(SHOP)
        shop.work()

        head = shop.pull("Make the till work")["head"]["sha"]
        check = shop.checks(head)["headgate/gate/judge"]
        assert any(r.startswith("src/till.txt:2 ") for r in check.remarks)
        second = [o for o in shop.runner.taken if isinstance(o, AgentOrder)][-1]
        assert second.retry is not None
        (failed,) = second.retry.failed_gates
        assert failed.tests is not None
        assert (failed.tests.passed, failed.tests.failed) == (1, 1)
        assert "expected 5, got 4" in failed.annotations[0].message


def test_a_gate_that_is_not_required_may_fail_and_is_shown(tmp_path: Path) -> None:
    with house(tmp_path, policy=with_gate("run: test ! -d src", "required: false")) as shop:
        tracking = shop.start(SHOP)
        shop.work()

        assert shop.check_runs(shop.ref()) == {
            "headgate/verdict": "success",
            "headgate/gate/judge": "failure",
        }
        assert shop.issue(tracking)["state"] == "closed"
        assert TILL in shop.main_files()


def test_gates_that_cannot_run_are_repeated_and_then_count_as_failed(
    shop: House,
) -> None:
    shop.start(SHOP)
    agent = shop.runner.take()
    assert agent is not None
    shop.runner.do(agent)
    shop.settle()
    for _ in range(3):
        lease = shop.runner.take()
        assert lease is not None
        assert not isinstance(lease.order, AgentOrder)
        said = GateOrderReport(order_id=lease.order.order_id, sentence="The setup ended with 1.")
        shop.runner.report(lease, said)
        shop.runner.complete(lease.job)
        shop.settle()

    till = shop.number("Make the till work")
    assert "test (could not run). The setup ended with 1." in shop.body(till)
    back = shop.runner.take()
    assert back is not None
    assert isinstance(back.order, AgentOrder)
    assert back.order.retry is not None
    assert back.order.retry.failed_gates[0].ending == "could_not_run"


def test_one_builtin_gate_is_enough_to_land(tmp_path: Path) -> None:
    policy = "version: 1\nquiet_seconds: 0\ngates:\n  scope:\n    builtin: scope_check\n"
    with house(tmp_path, policy=policy) as shop:
        tracking = shop.start(SHOP)
        shop.work()
        assert shop.check_runs(shop.ref()) == {"headgate/verdict": "success"}
        assert shop.issue(tracking)["state"] == "closed"


def test_the_verdict_is_in_progress_while_gates_run(shop: House) -> None:
    shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    shop.runner.do(lease)
    shop.settle()

    head = shop.pull("Make the till work")["head"]["sha"]
    assert shop.check_runs(head) == {"headgate/verdict": None}
    shop.work()
    assert shop.check_runs(head) == {"headgate/verdict": "success"}
