"""The queue: changes land one at a time, each judged as the exact commit that main becomes."""

from pathlib import Path

import pytest

from action.order import AgentOrder, GateOrder
from tests.testkit.house import House, house
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec

TWO = spec(requirement("TILL"), requirement("DOOR"))
AREAS = ("TILL", "DOOR", "CART", "LIGHT", "SHELF", "STAIR")
LINES = "".join(f"line {n}\n" for n in range(1, 10))


def edits_line_one(order: AgentOrder, tree: Path) -> None:
    """Writes its own name into line one; takes both names when it is shown the conflict."""
    place = tree / "shop.txt"
    text = place.read_text()
    if "<<<<<<<" in text:
        names = [x for x in text.splitlines() if x.startswith(("till", "door"))]
        place.write_text(" ".join(dict.fromkeys(names)) + "\n" + LINES.partition("\n")[2])
    else:
        place.write_text(text.replace("line 1\n", f"{order.change.partition('-')[0]}\n"))


def edits_far_apart(order: AgentOrder, tree: Path) -> None:
    """The till edits the first line, the door the last: git merges that."""
    line = "line 1\n" if order.change.startswith("till") else "line 9\n"
    place = tree / "shop.txt"
    place.write_text(place.read_text().replace(line, f"{order.change.partition('-')[0]}\n"))


def test_a_conflict_is_returned_to_the_agent_with_its_markers_and_lands(tmp_path: Path) -> None:
    with house(tmp_path, {"shop.txt": LINES}) as shop:
        shop.runner.agent = edits_line_one
        tracking = shop.start(TWO)

        shop.work()

        retried = [o for o in shop.runner.taken if isinstance(o, AgentOrder) and o.attempt == 2]
        assert len(retried) == 1
        assert retried[0].retry is not None
        assert retried[0].retry.reason == "conflict"
        assert retried[0].retry.conflicting_files == ("shop.txt",)
        second = retried[0].change.partition("-")[0]
        (first,) = {"till", "door"} - {second}
        assert f"-line 1\n+{first}\n" in retried[0].retry.main_changed
        assert f"-line 1\n+{second}\n" in retried[0].retry.work_changed
        assert set(shop.main_files()["shop.txt"].splitlines()[0].split()) == {"till", "door"}
        assert shop.issue(tracking)["state"] == "closed"
        assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]


def test_changes_that_merge_are_judged_once_each_on_the_main_that_they_land_on(
    tmp_path: Path,
) -> None:
    with house(tmp_path, {"shop.txt": LINES}) as shop:
        shop.runner.agent = edits_far_apart
        shop.start(TWO)

        shop.work()

        text = shop.main_files()["shop.txt"].splitlines()
        assert (text[0], text[-1]) == ("till", "door")
        judged = {o.candidate_sha for o in shop.runner.taken if isinstance(o, GateOrder)}
        landed = {line.sha for line in shop.state.ledger if line.kind == "landed"}
        assert landed < judged
        # Main before the first order, and each change once.
        assert len(judged) == 3
        assert shop.history()[-2:] == ["Make the till work", "Make the door work"] or (
            shop.history()[-2:] == ["Make the door work", "Make the till work"]
        )


def test_each_landed_commit_has_a_green_verdict_and_the_previous_as_parent(
    shop: House,
) -> None:
    shop.start(TWO)
    shop.work()

    for name in ("main", "main~1"):
        checks = shop.check_runs(shop.ref(name))
        assert checks == {"headgate/verdict": "success"}
    for pull in shop.pulls():
        assert pull["merged_at"]
    assert len(shop.state.ledger) == len(shop.history())
    ledger = shop.hub.repository(shop.full_name).git.read_file(
        "refs/headgate/ledger", "ledger.jsonl"
    )
    assert ledger is not None
    assert len(ledger.decode().splitlines()) == len(shop.history())


@pytest.mark.slow
def test_at_most_three_agents_work_at_the_same_time(shop: House) -> None:
    tracking = shop.start(spec(*map(requirement, AREAS)))
    leases = [shop.runner.take() for _ in range(3)]
    assert all(leases)
    assert shop.runner.take() is None
    assert shop.body(tracking).count("| working |") == 3

    first = leases[0]
    assert first is not None
    shop.runner.do(first)
    shop.settle()

    fourth = shop.runner.take()
    seen = [shop.runner.take(), shop.runner.take()]
    at_work = [x for x in (fourth, *seen) if x and isinstance(x.order, AgentOrder)]
    assert len(at_work) == 1
    for lease in (*leases[1:], fourth, *seen):
        if lease is not None:
            shop.runner.do(lease)
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
    assert len(shop.main_files()) >= 6
    assert len([p for p in shop.pulls() if p["merged_at"]]) == 6


@pytest.mark.slow
def test_a_change_that_turns_red_on_a_newer_main_is_returned_to_its_agent(
    tmp_path: Path,
) -> None:
    gate = "test ! -f src/till-make-the-till-work.txt -o ! -f src/door-make-the-door-work.txt\n"
    with house(tmp_path, {"gate.sh": f"{gate.strip()} -o -f both\n"}) as shop:

        def agent(order: AgentOrder, tree: Path) -> None:
            writes_a_file(order, tree)
            if order.retry is not None:
                (tree / "both").write_text("They can live together.\n")

        shop.runner.agent = agent
        tracking = shop.start(TWO)

        shop.work()

        retried = [o for o in shop.runner.taken if isinstance(o, AgentOrder) and o.attempt == 2]
        assert [o.retry and o.retry.reason for o in retried] == ["gates_failed"]
        assert "both" in shop.main_files()
        assert shop.issue(tracking)["state"] == "closed"


def test_dependents_start_from_the_main_with_their_dependency(shop: House) -> None:
    shop.start(spec(requirement("TILL"), requirement("PRINTER", after="TILL")))

    shop.work()

    printer = [
        o for o in shop.runner.taken if isinstance(o, AgentOrder) and o.change.startswith("printer")
    ]
    landed = [line.sha for line in shop.state.ledger if line.kind == "landed"]
    assert [o.base_sha for o in printer] == landed[:1]
