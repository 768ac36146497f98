"""Commands in comments: read, permitted or refused, answered once."""

import pytest

from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"), requirement("DOOR"))


@pytest.mark.parametrize("verb", ["run specs/shop.md", "approve", "retry", "stop"])
def test_a_person_without_a_role_is_refused_and_no_work_starts(shop: House, verb: str) -> None:
    tracking = shop.plan(SHOP)

    asked = shop.ask(tracking, f"/headgate {verb}", "eve")

    assert shop.reactions(asked) == ["eyes", "confused"]
    verb = verb.partition(" ")[0]
    assert shop.reply(tracking, asked) == (
        f"`/headgate {verb}` needs the role write; @eve has the role read here."
    )
    assert shop.runner.take() is None
    assert "No work has started yet" in shop.body(tracking)


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("status", "Spec run of `specs/shop.md`: proposed."),
        ("why", "Its plan waits for approval"),
        ("help", "| `/headgate retry [agent] [CHANGE]` |"),
    ],
)
def test_people_with_read_access_may_ask_for_the_status(
    shop: House, verb: str, answer: str
) -> None:
    tracking = shop.plan(SHOP)

    asked = shop.ask(tracking, f"/headgate {verb}", "eve")

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert answer in shop.reply(tracking, asked)


def test_a_command_in_the_wrong_place_says_where_to_write_it(shop: House) -> None:
    shop.start(SHOP)
    change = shop.number("Make the till work")
    answer = shop.api("POST", shop.repo("/issues"), {"title": "Lunch", "body": "Soup?"})
    elsewhere = int(answer.json()["number"])

    on_change = shop.ask(change, "/headgate approve")
    on_lunch = shop.ask(elsewhere, "/headgate status")

    assert shop.reactions(on_change) == ["eyes", "confused"]
    assert shop.reply(change, on_change) == (
        "`/headgate approve [rN] [all]` does not work here. Write it on the tracking issue."
    )
    assert "Write it on the tracking issue, or a change's issue or pull" in shop.reply(
        elsewhere, on_lunch
    )


def test_a_typo_is_answered_with_the_nearest_command(shop: House) -> None:
    tracking = shop.plan(SHOP)

    near = shop.ask(tracking, "/headgate aprove")
    far = shop.ask(tracking, "/headgate xyzzy")

    assert shop.reactions(near) == ["eyes", "confused"]
    assert "Did you mean `/headgate approve`?" in shop.reply(tracking, near)
    assert (
        shop.reply(tracking, far)
        == "`/headgate xyzzy` is not a command. `/headgate help` lists all commands."
    )


@pytest.mark.parametrize(
    "text",
    [
        "> /headgate approve",
        "```\n/headgate approve\n```",
        "    /headgate approve",
        "Please say `/headgate approve` when you are ready.",
        "I would not /headgate approve that.",
        "<!-- /headgate approve -->",
        "<pre>\n/headgate approve\n</pre>",
    ],
)
def test_a_quoted_command_is_ignored(shop: House, text: str) -> None:
    tracking = shop.plan(SHOP)
    before = len(shop.comments(tracking))

    comment = shop.ask(tracking, text)

    assert shop.reactions(comment) == []
    assert len(shop.comments(tracking)) == before + 1
    assert shop.runner.take() is None


def test_commands_in_comments_by_apps_are_ignored(shop: House) -> None:
    tracking = shop.plan(SHOP)
    app = shop.hub.register_app("other", None, "s", {"issues": "write"}, ())
    shop.hub.install_app(app.app_id, "team")
    issue = shop.hub.repository(shop.full_name).issues[tracking]
    bot = shop.hub.as_user("other[bot]")

    comment = shop.hub.comments.add(issue, bot, "/headgate approve")
    shop.settle()

    assert shop.reactions(comment.id) == []
    assert shop.runner.take() is None


def test_approving_twice_starts_everything_once(shop: House) -> None:
    tracking = shop.plan(SHOP)

    first = shop.ask(tracking, "/headgate approve")
    second = shop.ask(tracking, "/headgate approve")
    shop.work()

    assert shop.reactions(first) == shop.reactions(second) == ["eyes", "rocket"]
    assert shop.reply(tracking, second) == ("@ada has already approved the plan; it is under way.")
    assert len(shop.pulls()) == 2
    assert shop.issue(tracking)["state"] == "closed"


def test_a_second_run_command_links_to_the_open_run(shop: House) -> None:
    tracking = shop.plan(SHOP)

    asked = shop.ask(tracking, "/headgate run specs/shop.md")

    assert shop.reply(tracking, asked) == f"`specs/shop.md` is already planned, in #{tracking}."
    assert [i["title"] for i in shop.issues()].count("Spec: A shop") == 1


def test_a_run_command_with_a_wrong_path_is_refused(shop: House) -> None:
    tracking = shop.plan(SHOP)

    empty = shop.ask(tracking, "/headgate run")
    wrong = shop.ask(tracking, "/headgate run README.md")

    assert "needs the path of a spec" in shop.reply(tracking, empty)
    assert "There is no spec at `README.md`" in shop.reply(tracking, wrong)


def test_a_run_command_for_a_landed_spec_starts_no_work(shop: House) -> None:
    tracking = shop.start(SHOP)
    shop.work()

    asked = shop.ask(tracking, "/headgate run specs/shop.md")

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert "has already landed with its current text" in shop.reply(tracking, asked)
    assert len(shop.pulls()) == 2


def test_stopping_a_spec_run_stops_its_changes_and_says_so(shop: House) -> None:
    tracking = shop.start(SHOP)
    lease = shop.runner.take()
    assert lease is not None

    asked = shop.ask(tracking, "/headgate stop")

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert shop.runner.heartbeat(lease).json()["carry_on"] is False
    till = shop.number("Make the till work")
    assert "### Stopped\n\nStopped by @\u200bada." in shop.body(till)
    assert shop.issue(tracking)["state"] == "closed"
    assert shop.issue(tracking)["state_reason"] == "not_planned"
    again = shop.ask(tracking, "/headgate stop")
    assert shop.reply(tracking, again) == "There is nothing to stop: it has already ended."


def test_a_stopped_change_can_be_retried_from_its_own_issue_and_lands(shop: House) -> None:
    shop.start(SHOP)
    till = shop.number("Make the till work")
    shop.ask(till, "/headgate stop")
    shop.work()
    assert "src/till-make-the-till-work.txt" not in shop.main_files()

    asked = shop.ask(till, "/headgate retry")
    shop.work()

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert "src/till-make-the-till-work.txt" in shop.main_files()
    assert shop.issue(till)["state"] == "closed"


def test_retrying_a_change_that_did_not_fail_is_refused(shop: House) -> None:
    tracking = shop.start(SHOP)

    asked = shop.ask(tracking, "/headgate retry till-make-the-till-work")
    unknown = shop.ask(tracking, "/headgate retry roof")

    assert "did not fail and were not stopped" in shop.reply(tracking, asked)
    assert f"`roof` is not a change of #{tracking}." in shop.reply(tracking, unknown)
    assert shop.reactions(unknown) == ["eyes", "confused"]


def test_the_why_command_names_the_dependency_that_a_change_waits_for(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL"), requirement("PRINTER", after="TILL")))
    till = shop.number("Make the till work")

    asked = shop.ask(tracking, "/headgate why printer-make-the-printer-work")

    answer = shop.reply(tracking, asked)
    assert "**`printer-make-the-printer-work`** is waiting." in answer
    assert f"It starts when #{till} (working) has landed." in answer


def test_at_most_ten_commands_of_a_comment_are_run(shop: House) -> None:
    tracking = shop.plan(SHOP)

    asked = shop.ask(tracking, "\n".join(["/headgate status"] * 12))

    answer = shop.reply(tracking, asked)
    assert answer.count("Spec run of `specs/shop.md`") == 10
    assert "Headgate runs only the first 10 commands of a comment." in answer


def test_a_comment_deleted_before_it_is_read_has_no_effect(shop: House) -> None:
    tracking = shop.plan(SHOP)
    comment = shop.comment(tracking, "/headgate approve")
    shop.api("DELETE", shop.repo(f"/issues/comments/{comment}")).raise_for_status()

    shop.settle()

    assert shop.runner.take() is None
    assert "No work has started yet" in shop.body(tracking)


def test_a_command_added_by_an_edit_is_refused(
    shop: House,
) -> None:
    tracking = shop.plan(SHOP)
    early = shop.ask(tracking, "A fine plan, I will look at it tomorrow.")
    shop.forward(seconds=90)

    path = shop.repo(f"/issues/comments/{early}")
    shop.api("PATCH", path, {"body": "/headgate approve"}).raise_for_status()
    shop.sweep()

    assert shop.reactions(early) == ["eyes", "confused"]
    assert "because the comment was edited" in shop.reply(tracking, early)
    assert "No work has started yet" in shop.body(tracking)
    assert shop.runner.take() is None


def test_editing_an_answered_comment_has_no_effect(shop: House) -> None:
    tracking = shop.plan(SHOP)
    asked = shop.ask(tracking, "/headgate status")
    shop.forward(seconds=90)

    path = shop.repo(f"/issues/comments/{asked}")
    shop.api("PATCH", path, {"body": "/headgate approve"}).raise_for_status()
    shop.sweep()

    assert shop.reactions(asked) == ["eyes", "rocket"]
    assert "No work has started yet" in shop.body(tracking)
