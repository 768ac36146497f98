"""People push to main: commits are admitted or adopted; a red one freezes the queue."""

from action.order import AgentOrder, GateOrder
from tests.testkit.house import House
from tests.testkit.runner import Lease
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"


def kinds(shop: House) -> list[str]:
    """How each of main's commits got there, oldest first."""
    return [line.kind.value for line in shop.state.ledger]


def gate_lease(shop: House) -> Lease:
    """Do agent orders until there is a gate order, and take it."""
    while (lease := shop.runner.take()) is not None:
        if isinstance(lease.order, GateOrder):
            return lease
        shop.runner.do(lease)
        shop.settle()
    raise AssertionError("no gate order waits")


def test_a_push_of_only_specs_and_policy_is_admitted_without_gates(shop: House) -> None:
    shop.plan(SHOP)
    policy = shop.main_files()[".github/headgate.yml"]
    shop.push({".github/headgate.yml": f"{policy}\nmax_parallel: 2\n"}, "Go slowly")
    shop.settle()

    assert kinds(shop) == ["genesis", "admitted", "admitted"]
    assert shop.runner.take() is None


def test_a_push_to_paths_that_the_policy_admits_is_admitted(shop: House) -> None:
    policy = shop.main_files()[".github/headgate.yml"]
    shop.push({".github/headgate.yml": f"{policy}\nadmit: [docs/]\n"}, "Let people write")
    shop.settle()
    shop.push({"docs/hours.md": "Nine to five.\n"}, "Write the hours down")
    shop.settle()

    assert kinds(shop)[-1] == "admitted"


def test_a_push_of_code_is_adopted_and_its_gates_run_on_it(shop: House) -> None:
    commit = shop.push({"src/roof.txt": "tiles\n"}, "Mend the roof")
    shop.work()

    assert kinds(shop)[-1] == "adopted"
    assert shop.check_runs(commit) == {"headgate/verdict": "success"}


def test_a_push_during_judgement_is_adopted_and_the_candidate_is_built_again_on_it(
    shop: House,
) -> None:
    tracking = shop.start(SHOP)
    lease = gate_lease(shop)
    roof = shop.push({"src/roof.txt": "tiles\n"}, "Mend the roof")
    shop.settle()

    shop.runner.do(lease)
    shop.settle()
    assert TILL not in shop.main_files()
    shop.work()

    assert shop.history()[-2:] == ["Mend the roof", "Make the till work"]
    assert shop.check_runs(roof) == {"headgate/verdict": "success"}
    landed = shop.state.ledger[-1]
    judged = [o.candidate_sha for o in shop.runner.taken if isinstance(o, GateOrder)]
    assert landed.sha in judged
    assert landed.sha != lease.order.order_id
    assert shop.issue(tracking)["state"] == "closed"


def test_a_red_push_freezes_the_queue_and_a_fix_unfreezes_it(shop: House) -> None:
    tracking = shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None
    red = shop.push({"broken": "in a hurry\n"}, "Break everything")
    shop.work()
    shop.runner.do(lease)
    shop.work()

    assert shop.check_runs(red)["headgate/verdict"] == "failure"
    assert "**The queue is frozen:**" in shop.body(tracking)
    said = shop.comments(tracking)[-1]
    assert "no change is blamed for this" in said
    assert f"git revert {red}" in said
    assert TILL not in shop.main_files()
    agents = [o for o in shop.runner.taken if isinstance(o, AgentOrder)]
    assert len(agents) == 1
    why = shop.ask(tracking, "/headgate why till-make-the-till-work")
    assert "The queue is frozen" in shop.reply(tracking, why)

    shop.push({"broken": None}, "Mend it")
    shop.work()

    assert "**The queue is frozen:**" not in shop.body(tracking)
    assert TILL in shop.main_files()
    assert len([o for o in shop.runner.taken if isinstance(o, AgentOrder)]) == 1
    assert shop.issue(tracking)["state"] == "closed"
    assert len(kinds(shop)) == len(shop.history())


def test_a_rewound_main_freezes_the_queue_until_its_gates_pass(
    shop: House,
) -> None:
    shop.push({"src/roof.txt": "tiles\n"}, "Mend the roof")
    shop.work()
    tracking = shop.start(SHOP)
    lease = gate_lease(shop)
    clone = shop.clone()
    shop.git(clone, "reset", "-q", "--hard", "HEAD~2")
    (clone / "door.txt").write_text("oak\n")
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-q", "-m", "Begin again")
    shop.git(clone, "push", "-q", "--force", "origin", "HEAD:main")
    shop.settle()

    assert "**The queue is frozen:** main was moved from" in shop.body(tracking)
    shop.runner.do(lease)
    shop.settle()
    assert TILL not in shop.main_files()

    shop.work()

    assert "The queue is frozen" not in shop.body(tracking)
    assert shop.history()[-2:] == ["Begin again", "Make the till work"]


def test_all_commits_of_a_push_are_in_the_ledger_and_the_tip_is_judged(
    shop: House,
) -> None:
    clone = shop.clone()
    for name in ("one", "two", "three"):
        (clone / f"{name}.txt").write_text(name)
        shop.git(clone, "add", "-A")
        shop.git(clone, "commit", "-q", "-m", f"Add {name}")
    shop.git(clone, "push", "-q", "origin", "HEAD:main")
    shop.work()

    assert kinds(shop) == ["genesis", "adopted", "adopted", "adopted"]
    assert [o.candidate_sha for o in shop.runner.taken if isinstance(o, GateOrder)] == [shop.ref()]
    assert shop.check_runs(shop.ref()) == {"headgate/verdict": "success"}
