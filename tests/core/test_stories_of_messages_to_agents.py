"""Messages of people reach the running agent of a change and every later attempt."""

import pytest

from action.order import AgentOrder, Fingerprint, RunStatus, ToldWords
from action.report import AgentEnding
from bot.core.journal.events import AgentOrdered
from bot.core.talk.activity_text import tail_text
from bot.core.values.agent_activity import AgentActivity
from bot.core.values.repository import Role
from tests.core.kit import World, approved
from tests.core.values import GATES, START, beside

TEXT = "Use `Decimal`, not float."
WORDS = ToldWords(author="ann", text=TEXT)


def _tell(world: World, said: str, where: str = "R0", role: Role = Role.WRITE) -> None:
    issue = world.run.issue if where == "tracking" else world.change(where).issue
    assert issue is not None
    world.say(issue, said, role=role)
    world.settle()


def test_a_running_agent_gets_a_tell_command() -> None:
    world = approved(beside(1))
    order = world.open_orders(AgentOrder)[0]
    world.lease(order)

    _tell(world, f"/headgate tell {TEXT}")

    assert world.told == {order: (WORDS,)}
    # A reaction says that it was heard, and no reply.
    assert world.posted == []


def test_messages_to_an_agent_keep_their_order() -> None:
    world = approved(beside(1))
    order = world.open_orders(AgentOrder)[0]

    _tell(world, f"/headgate tell {TEXT}")
    world.pass_time(10)
    _tell(world, "/headgate tell Round half up.\nTo cents.")

    later = ToldWords(author="ann", text="Round half up.\nTo cents.")
    assert world.told == {order: (WORDS, later)}


def test_later_attempts_get_the_message_in_their_order_only() -> None:
    world = approved(beside(1))
    _tell(world, f"/headgate tell {TEXT}")
    world.told.clear()
    world.pass_time(10)

    world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TURNS)
    world.settle()

    assert world.agent_order().attempt == 2
    assert world.agent_order().told == (WORDS,)
    assert world.told == {}


def test_tell_all_on_the_tracking_issue_reaches_all_agents() -> None:
    world = approved(beside(2), f"{GATES}max_parallel: 2\n")

    _tell(world, f"/headgate tell all {TEXT}", "tracking")

    assert world.told == dict.fromkeys(world.open_orders(AgentOrder), (WORDS,))


def test_a_change_is_named_by_its_issue_or_slug() -> None:
    world = approved(beside(2), f"{GATES}max_parallel: 2\n")
    second = world.change("R1")

    _tell(world, f"/headgate tell #{second.issue} {TEXT}", "tracking")
    _tell(world, f"/headgate tell {second.slug} {TEXT}", "tracking")

    assert world.told == {world.agent_order_of("R1"): (WORDS, WORDS)}


def test_a_message_without_a_running_agent_waits_for_the_next_attempt() -> None:
    world = approved(beside(2), f"{GATES}max_parallel: 1\n")

    _tell(world, f"/headgate tell {TEXT}", "R1")

    assert world.told == {}
    assert "The next attempt gets it" in world.replies()


@pytest.mark.parametrize(
    "agent",
    ["kind: claude-code", "kind: codex", "kind: opencode", "{kind: acp, command: an-agent}"],
)
def test_a_message_reaches_a_running_program_at_once(agent: str) -> None:
    entry = agent if agent.startswith("{") else f"{{{agent}}}"
    world = approved(beside(1), f"{GATES}agent: {entry}\n")
    order = world.open_orders(AgentOrder)[0]

    _tell(world, f"/headgate tell {TEXT}")

    assert world.told == {order: (WORDS,)}
    assert world.posted == []


def test_the_journal_records_how_each_attempt_starts() -> None:
    world = approved(beside(1), f"{GATES}attempts_max: 5\n")
    for leaves_work in (False, True):
        order = world.open_orders(AgentOrder)[0]
        if leaves_work:
            world.leave_work(order, AgentEnding.OUT_OF_TURNS, "Its turns are used up.")
        else:
            world.hand_in(order, AgentEnding.OUT_OF_TURNS)
        world.settle()

    begun = [e.begins for e in world.journal if isinstance(e, AgentOrdered)]
    assert begun == [
        "Starts from today's main.",
        "Starts from today's main alone, in a new conversation. Earlier work was not kept.",
        "Starts from today's main with the unfinished work so far, in a new conversation.",
    ]


def test_a_command_agent_reads_it_with_its_next_attempt() -> None:
    world = approved(beside(1), f"{GATES}agent: {{kind: command, command: run-agent}}\n")

    _tell(world, f"/headgate tell {TEXT}")

    assert "No agent on" in world.replies()


@pytest.mark.parametrize(
    ("said", "where", "answer"),
    [
        ("/headgate tell", "R0", "needs a change"),
        (f"/headgate tell {TEXT}", "tracking", "needs a change"),
        (f"/headgate tell {'x' * 4_001}", "R0", "4,000 characters at most"),
    ],
)
def test_a_tell_command_that_reaches_no_agent_is_refused(
    said: str, where: str, answer: str
) -> None:
    world = approved(beside(1))

    _tell(world, said, where)

    assert answer in world.replies()
    assert world.wrote("WordsTold") == []


def test_a_tell_command_without_write_permission_is_refused() -> None:
    world = approved(beside(1))

    _tell(world, f"/headgate tell {TEXT}", role=Role.READ)

    assert world.wrote("WordsTold") == []
    assert "needs the role" in world.replies()


def test_a_tell_command_for_a_landed_change_is_refused() -> None:
    world = approved(beside(1))
    world.work()

    _tell(world, f"/headgate tell {TEXT}")

    assert "already on main" in world.replies()


def test_at_most_fifty_messages_reach_a_change() -> None:
    world = approved(beside(1))
    for number in range(51):
        _tell(world, f"/headgate tell Number {number}.")

    assert len(world.change("R0").told) == 50
    assert "at most 50 texts" in world.replies()


def test_an_order_contains_the_newest_messages_if_there_are_too_many() -> None:
    world = approved(beside(1))
    for number in range(4):
        _tell(world, f"/headgate tell {number}. {'x' * 3_990}")
    world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TURNS)
    world.settle()

    assert [one.text[0] for one in world.agent_order().told] == ["1", "2", "3"]


def test_why_shows_the_current_status_of_a_run() -> None:
    world = approved(beside(1))
    order = world.open_orders(AgentOrder)[0]
    world.lease(order)
    status = RunStatus(sentence="At @work", last_tool="bash", turns=14, tokens=9, dollars=0.4)
    doing = AgentActivity(status=status, at=world.now)
    world.order_store[order] = world.order_store[order].model_copy(update={"doing": doing})

    _tell(world, "/headgate why", role=Role.READ)

    line = "**Now:** At @\u200bwork, 14 turns, $0.40, last tool `bash` (at "
    assert line in world.replies()


def test_why_shows_the_changed_files_and_red_gates_of_a_run() -> None:
    world = approved(beside(1))
    order = world.open_orders(AgentOrder)[0]
    world.lease(order)
    red = ("lint", "`@types", *(f"gate-{n}" for n in range(5)))
    fingerprint = Fingerprint(files=3, tree="3fa9c1d2", red=red)
    doing = AgentActivity(status=RunStatus(fingerprint=fingerprint), at=world.now)
    world.order_store[order] = world.order_store[order].model_copy(update={"doing": doing})

    _tell(world, "/headgate why", role=Role.READ)

    assert "3 files changed (tree `3fa9c1d2`), red: `lint`, " in world.replies()
    assert "`gate-2` and 2 more (at " in world.replies()
    assert " `@types" not in world.replies()


def test_a_transcript_is_collapsed_and_shows_its_end() -> None:
    status = RunStatus(turns=3)
    event = '{"at": "2026-11-23T10:00:00+00:00", "kind": "agent", "text": "</details> ```"}'
    text = tail_text(AgentActivity(status=status, at=START), ["x" * 5_000, "no event", event])

    assert text.startswith("<details><summary>The end of the last attempt's transcript (3 turns)")
    assert "[…]" in text
    # In a fence that nothing inside ends.
    assert "\n````text\n" in text
    assert text.endswith("no event\n10:00:00 agent: </details> ```\n````\n\n</details>")
