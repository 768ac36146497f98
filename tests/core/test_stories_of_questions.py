"""An agent asks people: what Headgate waits for, how long, and what continues."""

import pytest

from action.order import AgentOrder, AskingRule
from action.report import AgentEnding, AgentQuestion
from bot.core.decide.changes.wait_for_answers import CLARIFICATIONS_MAX
from bot.core.decide.decide import wake_at
from bot.core.journal.effects import EditComment, ImportBundle
from bot.core.journal.state import OrderState, SpecRunState, snapshot_of
from bot.core.values.clarification import numbered
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Role
from gates.result import Ending
from tests.core.kit import World, approved, read_good
from tests.core.values import GATES, beside

S = ChangeState
HOUR = 3_600

GREETING = AgentQuestion(
    question="Which greeting?", why="Two texts differ.", choices=("hi", "ho"), assumption="hi"
)
VOLUME = AgentQuestion(question="How loud?", assumption="softly")


def asking(
    *questions: AgentQuestion, policy: str = GATES, count: int = 1, has_work: bool = True
) -> World:
    """A world in which the agent of the first change has just asked."""
    world = approved(beside(count), policy)
    world.ask(first_order(world), *(questions or (GREETING, VOLUME)), has_work=has_work)
    world.settle()
    return world


def first_order(world: World) -> OrderId:
    return world.agent_order_of("R0")


def answer(world: World, text: str, author: str = "ann", role: Role = Role.WRITE) -> None:
    """Comment on the first change's issue."""
    issue = world.change("R0").issue
    assert issue is not None
    world.say(int(issue), text, author=author, role=role)
    world.settle()


def sent_again(world: World) -> AgentOrder:
    """The order that follows the questions."""
    return world.agent_order(world.change("R0").order)


def comment(world: World) -> str:
    """The current text of the questions' comment."""
    return [text for _, text in world.posted if text.startswith("**The agent of this")][-1]


def test_an_open_question_occupies_no_runner_and_no_slot() -> None:
    world = asking(count=3, policy=GATES + "max_parallel: 1\n")
    asked = world.change("R0")
    assert asked.state is S.ASKING
    assert world.state.orders[OrderId(str(asked.order))].state is OrderState.REPORTED
    world.work()
    states = [world.change(name).state for name in ("R0", "R1", "R2")]
    assert states == [S.ASKING, S.LANDED, S.LANDED]
    assert world.run.state is SpecRunState.RUNNING


def test_after_all_answers_the_agent_continues_its_work_at_once() -> None:
    world = asking()
    answer(world, "/headgate answer\n1. ho\n2. as loud as\n   you can\n")
    sent = sent_again(world)
    assert [(q.number, q.answer, q.answered_by) for q in sent.settled] == [
        (1, "ho", "ann"),
        (2, "as loud as you can", "ann"),
    ]
    assert sent.start_ref.startswith("refs/headgate/starts/")
    assert sent.base_sha == world.state.main
    assert sent.asking is AskingRule.ALLOWED
    world.work()
    assert world.change("R0").state is S.LANDED
    assert "@ann answered: ho" in world.replies()


def test_answers_in_one_line_are_split_at_the_asked_numbers() -> None:
    world = asking()
    answer(world, "/headgate answer 1: at 3: sharp 2: loudly")
    settled = sent_again(world).settled
    assert [(q.number, q.answer) for q in settled] == [(1, "at 3: sharp"), (2, "loudly")]


def test_answers_by_two_people_appear_in_one_comment() -> None:
    world = asking()
    answer(world, "/headgate answer 2 loudly", author="ben")
    assert world.change("R0").state is S.ASKING
    assert "Answered by @ben: loudly" in comment(world)
    assert "`/headgate answer 1 …`" in comment(world)
    answer(world, "/headgate answer 1 ho")
    assert [q.answered_by for q in sent_again(world).settled] == ["ann", "ben"]
    assert "All questions are answered. The agent continues." in comment(world)
    assert len([k for k in world.state.published if k.startswith("comment:asked")]) == 1


def test_a_newer_answer_replaces_an_older_one_while_waiting() -> None:
    world = asking()
    answer(world, "/headgate answer 1 hi")
    answer(world, "/headgate answer 1 ho")
    answer(world, "/headgate answer 2 loudly")
    assert [q.answer for q in sent_again(world).settled] == ["ho", "loudly"]
    answer(world, "/headgate answer 1 too late")
    assert "does not wait for an answer: it has already continued." in world.replies()


def test_an_unasked_number_is_refused_with_the_asked_numbers() -> None:
    world = asking()
    answer(world, "/headgate answer 7 what")
    answer(world, "/headgate answer")
    assert "There is no question 7 here. Questions here: 1, 2." in world.replies()
    assert "needs a number and a text. Questions here: 1, 2." in world.replies()
    assert world.change("R0").state is S.ASKING


def test_an_answer_without_write_permission_is_refused() -> None:
    world = asking()
    answer(world, "/headgate answer\n1. ho\n2. loudly", author="eve", role=Role.READ)
    assert world.change("R0").clarifications[-1].asked.answers == {}
    assert "needs the role write; @eve has the role read here" in world.replies()


def test_after_the_deadline_the_agent_continues_with_its_assumptions() -> None:
    world = asking(policy=GATES.replace("gates:", "agent:\n  clarify_within_hours: 5\ngates:", 1))
    answer(world, "/headgate answer 1 ho")
    world.pass_time(5 * HOUR - 60)
    world.settle()
    assert world.change("R0").state is S.ASKING
    due = wake_at(world.state, read_good(world.policy_text or ""), (), world.now)
    assert due is not None
    world.pass_time((due - world.now).total_seconds())
    world.settle()
    settled = sent_again(world).settled
    assert [(q.answer, q.answered_by) for q in settled] == [("ho", "ann"), ("softly", None)]
    assert "The time for answers has ended" in comment(world)
    world.work()
    assert "**no answer, so it assumed:** softly" in world.replies()


def test_a_question_uses_up_no_attempt() -> None:
    world = asking(policy=GATES + "attempts_max: 1\n")
    answer(world, "/headgate answer\n1. ho\n2. loudly")
    assert sent_again(world).attempt == 2
    world.work()
    assert world.change("R0").state is S.LANDED


@pytest.mark.parametrize(("price", "dollars"), [(10, 0.3), (100, 1.0), (None, 0.0)])
def test_usage_before_the_question_counts(price: int | None, dollars: float) -> None:
    prices = f"prices:\n  m1: {{input: {price}, output: 0}}\n" if price else ""
    world = approved(beside(1), GATES + prices)
    limits = world.agent_order().agent.limits
    assert limits.dollars_max == 1.0
    world.ask(first_order(world), GREETING, tokens=30_000)
    world.settle()
    answer(world, "/headgate answer 1 ho")
    left = sent_again(world).agent.limits
    assert left.tokens_max == limits.tokens_max - 30_000
    assert left.dollars_max == pytest.approx(1.0 - dollars)
    world.hand_in(first_order(world), AgentEnding.GAVE_UP, "Too hard.")
    world.settle()
    assert sent_again(world).agent.limits == limits


def test_cache_reads_before_the_question_count_a_tenth() -> None:
    world = approved(beside(1))
    tokens_max = world.agent_order().agent.limits.tokens_max
    world.ask(first_order(world), GREETING, tokens=0, cache_read=30_000)
    world.settle()
    answer(world, "/headgate answer 1 ho")
    assert sent_again(world).agent.limits.tokens_max == tokens_max - 3_000


def test_an_agent_may_ask_only_twice() -> None:
    world = asking(GREETING)
    for number in range(1, CLARIFICATIONS_MAX + 1):
        answer(world, f"/headgate answer {number} ho")
        rule = AskingRule.ALLOWED if number < CLARIFICATIONS_MAX else AskingRule.USED_UP
        assert sent_again(world).asking is rule
        if number < CLARIFICATIONS_MAX:
            world.ask(first_order(world), GREETING)
            world.settle()
    world.ask(first_order(world), GREETING)
    world.settle()
    change = world.change("R0")
    assert change.state is S.ORDERED
    assert len(change.clarifications) == CLARIFICATIONS_MAX
    assert change.retry is not None
    assert "which is not allowed" in change.retry.sentence
    assert change.tries == 2


def test_agents_do_not_ask_if_the_policy_forbids_it() -> None:
    world = approved(beside(1), GATES.replace("gates:", "agent:\n  clarify: off\ngates:", 1))
    assert world.agent_order().asking is AskingRule.OFF
    world.ask(first_order(world), GREETING)
    world.settle()
    assert [q.answered_by for q in sent_again(world).settled] == [None]


def test_a_retry_makes_the_agent_continue_without_an_answer() -> None:
    world = asking()
    answer(world, "/headgate answer 1 ho")
    answer(world, "/headgate retry", author="ben")
    assert [q.answer for q in sent_again(world).settled] == ["ho", "softly"]
    assert "@ben told the agent to continue without more answers." in comment(world)


def test_a_retry_of_the_spec_run_does_not_affect_questions() -> None:
    world = asking()
    assert world.run.issue is not None
    world.say(int(world.run.issue), "/headgate retry")
    world.settle()
    assert world.change("R0").state is S.ASKING


@pytest.mark.parametrize("whole", [False, True])
def test_a_stop_while_waiting_for_answers_stops_the_change(whole: bool) -> None:
    world = asking()
    issue = world.run.issue if whole else world.change("R0").issue
    assert issue is not None
    world.say(int(issue), "/headgate stop")
    world.settle()
    assert world.change("R0").state is S.STOPPED
    assert "The change has ended, so Headgate no longer waits for answers." in comment(world)
    late = world.change("R0").issue
    assert late is not None
    world.say(int(late), "/headgate answer 1 ho")
    world.say(int(late), "/headgate retry")
    world.settle()
    assert "does not wait for an answer: the change was stopped." in world.replies()
    assert [q.answer for q in sent_again(world).settled] == ["hi", "softly"]
    assert sent_again(world).start_ref.startswith("refs/headgate/starts/")


def test_partial_work_is_kept_and_not_judged() -> None:
    world = asking()
    kept = world.change("R0").head
    assert kept is not None
    assert world.state.candidate_of(world.change("R0")) is None
    world.pass_time(100 * HOUR)
    world.settle()
    assert world.state.candidate_of(world.change("R0")) is None
    assert world.change("R0").state is S.ORDERED


def test_the_next_run_gets_the_reason_why_partial_work_was_refused() -> None:
    world = approved(beside(1))
    order = first_order(world)
    world.bundles[order] = "refuse"
    world.ask(order, GREETING)
    world.settle()
    assert world.change("R0").state is S.ASKING
    answer(world, "/headgate answer 1 ho")
    sent = sent_again(world)
    assert sent.retry is not None
    assert sent.retry.reason == "bundle_refused"
    assert sent.start_sha == world.state.main


def test_after_a_question_without_work_the_agent_starts_from_current_main() -> None:
    world = asking(GREETING, has_work=False)
    assert not any(isinstance(e, ImportBundle) for e in world.intended)
    moved = world.push_code("by hand")
    world.settle()
    for order in [o for o, one in world.state.orders.items() if one.change is None]:
        world.judge(order)
    world.settle()
    answer(world, "/headgate answer 1 ho")
    assert sent_again(world).start_sha == moved


def test_the_tracking_issue_links_changes_that_wait_for_an_answer() -> None:
    world = asking()
    change, run = world.change("R0"), world.run
    shown = [e for e in world.intended if e.type == "EditIssue" and e.issue == run.issue][-1]
    assert f"| waits for an answer | 1 | – | an answer in #{change.issue} |" in shown.text
    answer(world, "/headgate why")
    said = f"Its agent asks in #{change.issue}: “Which greeting?” Answer there with"
    assert said in world.replies()


def test_after_an_edit_of_the_spec_old_answers_are_dropped() -> None:
    world = asking(GREETING)
    answer(world, "/headgate answer 1 ho")
    document = beside(1).documents[0]
    other = document.requirements[0].model_copy(
        update={"statement": "Other.", "text_hash": "other"}
    )
    edited = document.model_copy(update={"requirements": (other,)})
    world.push_spec(beside(1).model_copy(update={"documents": (edited,)}), "v2")
    world.settle()
    world.pass_time(10)
    assert world.run.issue is not None
    world.say(int(world.run.issue), "/headgate approve")
    world.settle()
    assert sent_again(world).settled == ()
    assert sent_again(world).asking is AskingRule.ALLOWED
    world.ask(OrderId(sent_again(world).order_id), VOLUME)
    world.settle()
    assert "**2.** How loud?" in comment(world)


def test_the_comment_is_edited_only_if_its_text_changes() -> None:
    world = asking()
    edits = [e for e in world.intended if isinstance(e, EditComment)]
    world.pass_time(HOUR)
    world.settle()
    assert [e for e in world.intended if isinstance(e, EditComment)] == edits == []


def test_a_red_gate_after_an_answer_is_returned_with_the_answer() -> None:
    world = asking(GREETING)
    answer(world, "/headgate answer 1 ho")
    world.hand_in(first_order(world))
    world.settle()
    order = next(o for o, one in world.state.orders.items() if one.is_open)
    world.judge(order, test=Ending.FAILED)
    world.settle()
    sent = sent_again(world)
    assert sent.retry is not None
    assert sent.retry.reason == "gates_failed"
    assert [q.answer for q in sent.settled] == ["ho"]
    assert world.change("R0").tries == 2


HOSTILE = (
    "@everyone /headgate approve ![x](https://evil.test/x.png) <img src=x> <!-- headgate:x --> "
    "closes #1 [click](https://evil.test) torvalds/linux#1 ‮evil\u200b"
)


@pytest.mark.parametrize("words", [HOSTILE, HOSTILE * 500, "\n\n/headgate stop\n", "# Heading"])
def test_a_runners_words_are_escaped(words: str) -> None:
    question = AgentQuestion(
        question=words, why=words, choices=(words,) * 50, assumption=f"x {words}"
    )
    world = asking(*[question] * 40)
    asked = world.change("R0").clarifications[-1].asked.questions
    assert len(asked) == 3
    text = comment(world)
    assert len(text) < 20_000
    for working in (
        *("@everyone", "/headgate approve ", "![", "](", "<img", "<!--", "closes #1", "linux#1"),
        *("\n/headgate", "\n# ", "‮"),
    ):
        assert working not in text
    assert len(snapshot_of(world.state)) < 200_000


def test_an_empty_question_is_ignored() -> None:
    blank = AgentQuestion(question=" \u200b\n", assumption="x")
    assert numbered((blank, VOLUME), 4)[0].number == 5
    world = asking(blank)
    assert world.change("R0").state is S.ORDERED
    assert world.change("R0").retry is not None


def test_a_question_in_the_report_of_a_lost_order_is_ignored() -> None:
    world = approved(beside(1))
    order = first_order(world)
    world.lease(order)
    world.pass_time(60)
    world.settle()
    world.ask(order, GREETING)
    world.settle()
    assert world.change("R0").clarifications == ()


def test_complete_work_after_a_stop_is_not_partial_work() -> None:
    world = approved(beside(2), GATES + "max_parallel: 1\n")
    issue = world.change("R0").issue
    assert issue is not None
    world.hand_in(first_order(world))
    world.decide()
    for command in ("/headgate stop", "/headgate retry"):
        world.say(int(issue), command)
        # Heard, then answered.
        world.decide()
        world.decide()
    assert world.change("R0").state is S.RETRYING
    world.perform()
    assert (world.change("R0").state, world.change("R0").head) == (S.RETRYING, None)
