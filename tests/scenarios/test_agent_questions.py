"""An agent asks people: its work is kept, and it continues after an answer or a deadline."""

from pathlib import Path

import pytest

from action.order import AgentOrder, AskingRule
from action.report import REPORT_VERSION, AgentQuestion
from bot.core.values.lifecycle import ChangeState
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.model import Role
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.harness import HarnessRunner, harness_runner
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.model import Turn, house_with_model, scene
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec

TILL = "src/till-make-the-till-work.txt"
DOOR = "src/door-make-the-door-work.txt"
CURRENCY = AgentQuestion(
    question="Which currency does the till count in?",
    why="The requirement names none.",
    choices=("euro", "pound"),
    assumption="euro",
)
VOLUME = AgentQuestion(question="How loud is its bell?", why="It rings.", assumption="softly")
BY_RULES = f"{POLICY}planner: deterministic\n"


def asks_first(order: AgentOrder, tree: Path) -> tuple[AgentQuestion, ...] | None:
    """Does half of the till's work, asks, and records the answers."""
    if not order.change.startswith("till"):
        writes_a_file(order, tree)
        return None
    if not order.settled:
        (tree / "half.txt").write_text("half of the work\n")
        return (CURRENCY, VOLUME)
    assert (tree / "half.txt").exists()
    writes_a_file(order, tree)
    told = "".join(f"{q.number}. {q.answer} ({q.answered_by})\n" for q in order.settled)
    (tree / "told.txt").write_text(told)
    return None


def asked_of_till(shop: House) -> str:
    """The only questions' comment in the till's issue."""
    found = [c for c in shop.comments(till(shop)) if "The agent of this change asks" in c]
    assert len(found) == 1
    return found[0]


def till(shop: House) -> int:
    return shop.number("Make the till work")


def till_state(shop: House) -> ChangeState:
    return next(c.state for c in shop.state.changes.values() if c.slug.startswith("till"))


def begin(shop: House, *areas: str) -> int:
    """Work until the till's agent has asked; the tracking issue."""
    shop.runner.agent = asks_first
    tracking = shop.start(spec(*(requirement(area) for area in areas or ("TILL",))))
    shop.work()
    assert till_state(shop) is ChangeState.ASKING
    return tracking


def asks(number: int) -> Turn:
    """A turn in which the model asks people with its tool."""
    question = {
        "question": f"Which currency, asked time {number}?",
        "why": "The requirement names none.",
        "assumption": "euro",
    }
    return {"calls": [{"tool": "ask_person", "input": {"questions": [question]}}]}


@pytest.mark.slow
def test_an_agents_question_is_answered_in_one_comment_and_its_change_lands(
    tmp_path: Path,
) -> None:
    half = {"calls": [{"bash": {"command": "mkdir -p src && echo half >src/half.txt"}}]}
    rest = {"calls": [{"bash": {"command": "test -f src/half.txt && echo {{told}} >src/told.txt"}}]}
    answered = scene("answered", rest, {"text": "DONE"}, attempt=2)
    answered["captures"] = {"told": {"patterns": [r"to this repository:\n<decided>\n(\w+)"]}}
    scenes = (scene("first", half, asks(1), attempt=1), answered)
    with house_with_model(tmp_path, *scenes, policy=BY_RULES) as shop:
        shop.runner = harness_runner(shop.runner)
        tracking = shop.start(spec(requirement("TILL")))
        shop.work()

        assert till_state(shop) is ChangeState.ASKING
        text = asked_of_till(shop)
        assert "**1.** Which currency, asked time 1?" in text
        assert "- Without an answer, it assumes: euro" in text
        assert "To answer, comment `/headgate answer 1 …`" in text
        assert f"waits for an answer | 1 | – | an answer in #{till(shop)} |" in shop.body(tracking)

        answer = shop.ask(till(shop), "/headgate answer 1 pound")
        assert shop.reactions(answer) == ["eyes", "rocket"]
        shop.work()

        assert shop.main_files()["src/told.txt"] == "pound"
        assert shop.main_files()["src/half.txt"] == "half"
        assert "Answered by @ada: pound" in asked_of_till(shop)
        report = shop.comments(tracking)[-1]
        assert "Which currency, asked time 1? – @ada answered: pound" in report
        assert shop.issue(tracking)["state"] == "closed"
        assert shop.reply(till(shop), answer) == ""


@pytest.mark.slow
def test_an_agent_that_asks_a_third_time_must_decide_by_itself(tmp_path: Path) -> None:
    work = {"calls": [{"bash": {"command": "mkdir -p src && echo euro >src/till.txt"}}]}
    scenes = (
        scene("once", asks(1), attempt=1),
        scene("twice", asks(2), attempt=2),
        scene("again", asks(3), work, {"text": "DONE"}, attempt_at_least=3),
    )
    with house_with_model(tmp_path, *scenes, policy=BY_RULES) as shop:
        shop.runner = runner = harness_runner(shop.runner)
        shop.start(spec(requirement("TILL")))
        shop.work()
        shop.ask(till(shop), "/headgate answer 1 pound")
        shop.work()
        shop.ask(till(shop), "/headgate answer 2 pound, as I said")
        shop.work()

        assert isinstance(runner, HarnessRunner)
        assert len(runner.said) == 3
        assert shop.main_files()["src/till.txt"] == "euro"
        asked = [c for c in shop.comments(till(shop)) if "asked time" in c]
        assert ["time 1?" in asked[0], "time 2?" in asked[1], len(asked)] == [True, True, 2]


def test_answers_of_two_people_appear_in_the_one_comment(shop: House) -> None:
    shop.hire("ben")
    begin(shop)

    shop.ask(till(shop), "/headgate answer 2: loudly", "ben")
    assert "Answered by @ben: loudly" in asked_of_till(shop)
    assert "- Without an answer, it assumes: euro" in asked_of_till(shop)
    shop.work()
    assert till_state(shop) is ChangeState.ASKING

    shop.ask(till(shop), "/headgate answer 1 pound")
    shop.work()
    assert shop.main_files()["told.txt"] == "1. pound (ada)\n2. loudly (ben)"
    assert "All questions are answered. The agent continues." in asked_of_till(shop)


def test_answers_of_outsiders_are_refused(shop: House) -> None:
    begin(shop)
    shop.hire("guest", Role.READ)

    for login in ("eve", "guest"):
        answer = shop.ask(till(shop), "/headgate answer\n1. gold\n2. shrill", login)
        assert shop.reactions(answer) == ["eyes", "confused"]
        assert "needs the role write" in shop.reply(till(shop), answer)

    shop.work()
    assert till_state(shop) is ChangeState.ASKING
    assert "Answered by" not in asked_of_till(shop)


def test_without_answers_the_agent_continues_with_its_assumptions(
    shop: House,
) -> None:
    tracking = begin(shop)
    shop.restart(ports_on_story_clock(shop))
    shop.forward(hours=71)
    shop.ring_due()
    shop.work()
    assert till_state(shop) is ChangeState.ASKING

    shop.forward(hours=1)
    shop.ring_due()
    shop.work()

    assert shop.main_files()["told.txt"] == "1. euro (None)\n2. softly (None)"
    assert "The time for answers has ended. The agent continues." in asked_of_till(shop)
    assert "**no answer, so it assumed:** euro" in shop.comments(tracking)[-1]


def test_other_changes_land_while_one_waits_for_answers(tmp_path: Path) -> None:
    with house(tmp_path, policy=f"{POLICY}max_parallel: 1\n") as shop:
        tracking = begin(shop, "TILL", "DOOR")

        assert DOOR in shop.main_files()
        assert not [o for o in shop.state.orders.values() if o.is_open]
        assert "1 of 2 landed" in shop.body(tracking)

        moved = shop.ref()
        shop.ask(till(shop), "/headgate answer\n1. pound\n2. loudly")
        shop.work()
        again = [o for o in shop.runner.taken if isinstance(o, AgentOrder)][-1]
        assert again.base_sha == moved
        assert {TILL, DOOR, "told.txt"} <= set(shop.main_files())


@pytest.mark.parametrize("whole", [False, True])
def test_a_stop_while_waiting_is_shown_and_a_retry_continues(shop: House, whole: bool) -> None:
    tracking = begin(shop)
    number = till(shop)
    stopped = shop.ask(tracking if whole else number, "/headgate stop")

    assert shop.reactions(stopped) == ["eyes", "rocket"]
    assert till_state(shop) is ChangeState.STOPPED
    assert "The change has ended, so Headgate no longer waits for answers." in asked_of_till(shop)
    late = shop.ask(number, "/headgate answer 1 pound")
    assert "does not wait for an answer: the change was stopped." in shop.reply(number, late)

    shop.ask(number, "/headgate retry")
    shop.work()
    assert shop.main_files()["told.txt"] == "1. euro (None)\n2. softly (None)"


def test_an_edit_of_the_spec_ends_the_waiting_for_answers(shop: House) -> None:
    tracking = begin(shop)
    edited = spec(requirement("TILL", says="The till SHALL count in pounds."))
    shop.push({"specs/shop.md": edited}, "Say it in the spec")
    shop.settle()
    shop.forward(seconds=2)
    assert till_state(shop) is ChangeState.STOPPED
    assert "Headgate no longer waits for answers" in asked_of_till(shop)

    shop.runner.agent = writes_a_file
    shop.ask(tracking, "/headgate approve")
    shop.work()
    last = [o for o in shop.runner.taken if isinstance(o, AgentOrder)][-1]
    assert (last.settled, last.asking) == ((), AskingRule.ALLOWED)
    assert "count in pounds" in last.requirements[0].statement
    assert TILL in shop.main_files()


def test_a_comment_with_a_lost_response_is_posted_once(shop: House) -> None:
    shop.runner.agent = asks_first
    shop.start(spec(requirement("TILL")))
    path = "*/issues/*/comments"
    # The people's own comments are behind us: the next is ours.
    shop.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob=path, nth=1))
    shop.work()
    shop.forward(minutes=5)
    shop.ring_due()
    shop.work()
    assert "**1.** Which currency does the till count in?" in asked_of_till(shop)

    shop.restart(ports_on_story_clock(shop))
    shop.ask(till(shop), "/headgate answer\n1. pound\n2. loudly")
    shop.work()
    assert "Answered by @ada: pound" in asked_of_till(shop)
    assert TILL in shop.main_files()


@pytest.mark.parametrize(("version", "status"), [(1, 202), (REPORT_VERSION + 1, 426)])
def test_a_run_from_before_an_upgrade_loses_no_work(shop: House, version: int, status: int) -> None:
    shop.start(spec(requirement("TILL")))
    lease = shop.runner.take()
    assert lease is not None
    report = shop.runner.work(lease).model_copy(update={"version": version})
    assert shop.runner.report(lease, report).status_code == status
    shop.runner.complete(lease.job)
    shop.work()
    assert TILL in shop.main_files()
    assert ("lost" in shop.body(till(shop))) is (status == 426)


def test_a_runners_question_cannot_mention_command_or_load_anything(
    shop: House,
) -> None:
    words = (
        "@everyone\n/headgate approve\n![x](https://evil.test/x.png) <img src=https://evil.test> "
        "<!-- headgate:x --> closes #1 "
    )
    evil = AgentQuestion(question=words * 1_000, why=words, choices=(words,), assumption=words)

    def attacks(order: AgentOrder, tree: Path) -> tuple[AgentQuestion, ...]:
        writes_a_file(order, tree)
        return (evil,) * 30

    shop.runner.agent = attacks
    shop.start(spec(requirement("TILL")))
    shop.work()

    text = asked_of_till(shop)
    assert len(text) < 20_000
    for working in ("@everyone", "/headgate approve", "![", "](", "<img", "closes #1"):
        assert working not in text
    assert text.count("<!--") == 1
    assert "\n/headgate" not in text
    assert "**4.**" not in text
