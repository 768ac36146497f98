"""Review threads: an agent answers them, and fixed ones are resolved."""

import pytest

from action.order import AgentOrder, GateOrder, ToldWords
from action.report import ACCOUNT_CHARACTERS_MAX, AgentEnding, ThreadAccount
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.values.ids import OrderId, PullNumber, ReviewCommentId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Role
from tests.core.kit import World, judging

FIRST = "Use `Decimal`, not float."
SECOND = "This may be None."


def asked(*, path: str = "src/shop.py") -> tuple[World, ReviewCommentId, ReviewCommentId]:
    """A world in which ann has begun two threads and asks for changes, so that an agent is ordered."""
    world, _ = judging()
    first = world.reviews.say(pull(world), FIRST, world.now)
    second = world.reviews.say(pull(world), SECOND, world.now, path=path, line=30)
    world.settle()
    world.review(pull(world), against=("ann",), says="See my comments.")
    world.settle()
    return world, first, second


def pull(world: World) -> PullNumber:
    number = world.change("R0").pull
    assert number is not None
    return number


def agent(world: World) -> OrderId:
    (order,) = world.open_orders(AgentOrder)
    return order


def settle(world: World) -> None:
    for _ in range(3):
        world.settle()


def words(world: World) -> dict[str, ToldWords]:
    """What the order of the agent under way carries, by its text."""
    return {one.text: one for one in world.agent_order().told}


def ask_again(world: World) -> None:
    """Ann looks at the work, and asks for changes once more."""
    for order in world.open_orders(GateOrder):
        world.judge(order)
    settle(world)
    world.pass_time(10)
    world.review(pull(world), against=("ann",), says="Look at it again.")
    settle(world)


def test_an_order_gives_each_thread_a_number() -> None:
    world, _, _ = asked()

    assert [(one.text, one.thread) for one in world.agent_order().told][:2] == [
        (FIRST, 1),
        (SECOND, 2),
    ]


def test_only_threads_that_the_agent_answers_are_resolved() -> None:
    world, first, second = asked()

    world.account(agent(world), t1="It is a Decimal now.")
    settle(world)

    shown = world.change("R0").shown
    assert world.reviews.answers == {
        first: [f"The agent says of its work at {shown}:\n\n> It is a Decimal now."]
    }
    assert world.reviews.resolved == {first}
    threads = world.change("R0").threads
    assert (threads[first].is_open, threads[second].is_open) == (False, True)


def test_the_next_agent_gets_open_threads_and_answers_of_resolved_ones() -> None:
    world, _, _ = asked()
    world.account(agent(world), t1="It is a Decimal now.")
    settle(world)

    ask_again(world)

    told = words(world)
    assert (told[FIRST].thread, told[FIRST].answered) == (0, "It is a Decimal now.")
    assert (told[SECOND].thread, told[SECOND].answered) == (2, "")


def test_a_thread_on_an_unchanged_file_is_answered_and_stays_open() -> None:
    world, _, second = asked(path="src/other.py")

    world.account(agent(world), t2="It never is: see the caller.")
    settle(world)

    (said,) = world.reviews.answers[second]
    assert "> It never is: see the caller." in said
    assert "does not change `src/other.py`, so this thread stays open" in said
    assert world.reviews.resolved == set()
    ask_again(world)
    assert words(world)[SECOND].thread == 2


def test_answers_of_refused_work_are_not_published() -> None:
    world, _, _ = asked()
    world.bundles[agent(world)] = "refuse"
    world.account(agent(world), t1="Done.")
    settle(world)
    assert words(world)[FIRST].thread == 1

    world.hand_in(agent(world))
    settle(world)

    assert world.stage("R0") is not None
    assert world.reviews.answers == {}


def test_an_unfinished_agent_answers_no_thread() -> None:
    world, _, _ = asked()

    account = ThreadAccount(thread=1, text="Nearly.")
    world.leave_work(agent(world), AgentEnding.OUT_OF_TURNS, "", accounts=(account,))
    settle(world)

    assert world.wrote("ThreadsAccounted") == []
    assert words(world)[FIRST].thread == 1


def test_a_thread_is_answered_once() -> None:
    world, first, _ = asked()
    world.account(agent(world), t1="Done.")

    for _ in range(3):
        settle(world)
        world.pass_time(60)

    assert len(world.reviews.answers[first]) == 1


def test_answers_with_unknown_thread_numbers_are_ignored() -> None:
    world, _, _ = asked()

    world.account(agent(world), t1="", t3="Ann asked for changes.", t40="Mine.")
    settle(world)

    assert world.wrote("ThreadsAccounted") == []
    assert world.reviews.answers == {}


def test_an_answer_does_not_cover_later_comments() -> None:
    world, first, _ = asked()
    world.pass_time(5)
    world.reviews.say(pull(world), "And round half up.", world.now, reply_to=first)
    settle(world)

    world.account(agent(world), t1="It is a Decimal now.")
    settle(world)

    assert world.reviews.answers == {}
    ask_again(world)
    told = words(world)
    assert (told[FIRST].thread, told["And round half up."].thread) == (0, 4)


def test_a_new_comment_opens_a_resolved_thread_and_the_next_answer_settles_it() -> None:
    world, first, _ = asked()
    world.account(agent(world), t1="Done.")
    settle(world)
    world.pass_time(10)

    world.reviews.say(pull(world), "Not here.", world.now, reply_to=first)
    settle(world)

    assert world.change("R0").threads[first].is_open
    # GitHub goes on showing it as resolved, which closes nothing.
    world.tick((Hint(kind=HintKind.THREAD, number=pull(world)),))
    assert world.change("R0").threads[first].is_open
    ask_again(world)
    number = words(world)["Not here."].thread
    world.account(agent(world), **{f"t{number}": "Here, too."})
    settle(world)
    assert "> Here, too." in world.reviews.answers[first][-1]
    assert not world.change("R0").threads[first].is_open


def test_a_thread_reopened_by_a_person_is_sent_to_the_next_agent() -> None:
    world, first, _ = asked()
    world.account(agent(world), t1="Done.")
    settle(world)

    world.reviews.resolved.remove(first)
    world.tick((Hint(kind=HintKind.THREAD, number=pull(world)),))

    assert world.change("R0").threads[first].is_open
    assert len(world.reviews.answers[first]) == 1
    ask_again(world)
    assert words(world)[FIRST].thread == 1


def test_a_thread_resolved_by_a_person_is_not_sent_to_agents() -> None:
    world, first, _ = asked()
    world.reviews.resolved.add(first)
    settle(world)

    world.account(agent(world), t1="Done.")
    settle(world)

    assert world.wrote("ThreadsAccounted") == []
    ask_again(world)
    assert words(world)[FIRST].thread == 0


@pytest.mark.attack(
    "An agent mentions people, closes issues or writes a marker of ours in what it says of a thread",
    held="`bot.core.talk.thread_text.answer` quotes it as words that do nothing, cut to 1,000 characters",
)
def test_thread_answers_of_agents_are_escaped() -> None:
    world, first, _ = asked()

    world.account(agent(world), t1="@ben closes #3 <!-- headgate:x -->" + "x" * 2_000)
    settle(world)

    (said,) = world.reviews.answers[first]
    assert "@ben" not in said
    assert "#3" not in said
    assert "<!--" not in said
    assert "x" * ACCOUNT_CHARACTERS_MAX not in said


@pytest.mark.attack(
    "An agent resolves what others were told on other pulls, by numbers that it was not given",
    held="`bot.core.decide.changes.answer_threads`: a number is that of a word that this change's agents are told",
)
def test_threads_of_peoples_own_pulls_are_not_touched() -> None:
    world, _, _ = asked()
    other = world.open_pull("topic")
    theirs = world.reviews.say(other, "Why?", world.now)
    settle(world)

    world.account(agent(world), t1="Done.", t2="Done.", t3="Done.", t4="Done.")
    settle(world)

    assert theirs not in world.reviews.answers
    hint = Hint(kind=HintKind.THREAD, number=other)
    assert looks(world.state, (hint,), world.now).reviews.threads == ()


def test_a_strangers_comment_in_a_thread_is_ignored() -> None:
    world, first, _ = asked()
    world.account(agent(world), t1="Done.")
    settle(world)

    world.reviews.say(
        pull(world), "Me too!", world.now, author="eve", role=Role.READ, reply_to=first
    )
    settle(world)

    assert not world.change("R0").threads[first].is_open


def test_threads_are_read_only_before_the_landing_and_if_agents_got_some() -> None:
    world, _ = judging()
    everything = (Hint(kind=HintKind.EVERYTHING),)
    assert looks(world.state, everything, world.now).reviews.threads == ()
    world, _, _ = asked()
    number = pull(world)
    assert looks(world.state, everything, world.now).reviews.threads == (number,)
    assert looks(world.state, (), world.now).reviews.threads == ()

    world.account(agent(world), t1="Done.")
    settle(world)
    world.review(number)
    for order in world.open_orders(GateOrder):
        world.judge(order)
    settle(world)

    assert world.change("R0").state is ChangeState.LANDED
    assert looks(world.state, everything, world.now).reviews.threads == ()
