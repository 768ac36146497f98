"""People touch what Headgate made: pulls, branches, bodies, check runs. Their words stay."""

from bot.core.state.candidates import is_landing
from bot.localhub.faults import Fault, FaultKind
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"), requirement("DOOR"))
ONE = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"


def up_to_the_pull(shop: House) -> None:
    """Let the first agent order be done and imported; its gates wait."""
    lease = shop.runner.take()
    assert lease is not None
    shop.runner.do(lease)
    shop.settle()


def test_closing_a_pull_stops_only_its_change(shop: House) -> None:
    tracking = shop.start(SHOP)
    up_to_the_pull(shop)
    pull = shop.pulls("open")[0]

    closed = shop.api("PATCH", shop.repo(f"/pulls/{pull['number']}"), {"state": "closed"})
    assert closed.status_code == 200
    shop.settle()
    shop.work()

    stopped = shop.number(pull["title"])
    assert (
        "### Stopped\n\nStopped by the person who closed or merged its pull request."
        in shop.body(stopped)
    )
    assert len([p for p in shop.pulls() if p["merged_at"]]) == 1
    assert "1 of 2 requirements landed" in shop.comments(tracking)[-1]
    assert len([f for f in shop.main_files() if f.startswith("src/")]) == 1

    shop.ask(stopped, "/headgate retry")
    shop.work()
    assert len([f for f in shop.main_files() if f.startswith("src/")]) == 2
    assert shop.pull(pull["title"])["number"] != pull["number"]
    assert shop.issue(tracking)["state_reason"] == "completed"


def test_a_merge_by_a_person_lands_the_change(shop: House) -> None:
    tracking = shop.start(SHOP)
    up_to_the_pull(shop)
    pull = shop.pulls("open")[0]

    merged = shop.api("PUT", shop.repo(f"/pulls/{pull['number']}/merge"), {})
    assert merged.status_code == 200
    shop.settle()
    shop.work()

    said = shop.body(shop.number(pull["title"]))
    assert "### Landed" in said
    assert ", merged by @" in said
    assert "2 of 2 requirements landed" in shop.comments(tracking)[-1]
    assert shop.issue(tracking)["state_reason"] == "completed"
    # Whoever merges by hand gets it judged like any push of theirs.
    assert "adopted" in [line.kind.value for line in shop.state.ledger]


def test_a_merge_by_a_person_during_the_landing_lands_the_change(shop: House) -> None:
    tracking = shop.start(ONE)
    up_to_the_pull(shop)
    pull = shop.pull("Make the till work")
    gates = shop.runner.take()
    assert gates is not None
    shop.runner.do(gates)
    away = Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="/api/graphql", nth=1, status=502)
    shop.hub.faults.add(away)
    shop.settle()
    assert [is_landing(shop.state, c) for c in shop.state.changes.values()] == [True]

    shop.api("PUT", shop.repo(f"/pulls/{pull['number']}/merge"), {}).raise_for_status()
    shop.settle()
    shop.forward(seconds=30)
    shop.ring_due()
    shop.work()

    assert ", merged by @" in shop.body(shop.number("Make the till work"))
    assert shop.events("Landed") == []
    assert shop.issue(tracking)["state_reason"] == "completed"


def push_to_branch(shop: House, branch: str, files: dict[str, str]) -> str:
    """Ada commits on a change's branch and pushes; the commit."""
    clone = shop.clone()
    shop.git(clone, "checkout", "-q", branch)
    for path, text in files.items():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_text(text)
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-q", "-m", "Better by hand")
    shop.git(clone, "push", "-q", "origin", f"HEAD:{branch}")
    return shop.git(clone, "rev-parse", "HEAD")


def test_a_push_to_a_change_branch_is_taken_over_and_lands_under_its_author(
    shop: House,
) -> None:
    tracking = shop.start(ONE)
    up_to_the_pull(shop)
    pull = shop.pull("Make the till work")
    pushed = push_to_branch(shop, pull["head"]["ref"], {"by_hand.txt": "better\n"})
    shop.settle()

    assert any("**Taken over.**" in text for text in shop.comments(pull["number"]))
    agents = len(shop.events("AgentOrdered"))
    shop.work()

    files = shop.main_files()
    assert TILL in files
    assert files["by_hand.txt"] == "better"
    landed = shop.commit_text(shop.ref())
    assert "Author: Ada <ada@example.com>" in landed
    assert len(shop.events("AgentOrdered")) == agents
    assert shop.issue(tracking)["state"] == "closed"
    clone = shop.clone()
    kept = shop.git(clone, "ls-remote", "origin", "refs/headgate/kept/*")
    assert kept.startswith(pushed)


def test_a_push_while_the_landing_waits_for_its_pull_is_not_overwritten(shop: House) -> None:
    shop.start(ONE)
    up_to_the_pull(shop)
    branch = shop.pull("Make the till work")["head"]["ref"]
    gates = shop.runner.take()
    assert gates is not None
    shop.runner.do(gates)
    shop.hub.wait_until_delivered(20)
    # What the webhooks of the push and of the report say arrives in one round.
    push_to_branch(shop, branch, {"by_hand.txt": "better\n"})
    shop.work()

    assert shop.main_files()["by_hand.txt"] == "better"
    assert len(shop.events("Landed")) == 1


def test_a_push_with_a_lost_webhook_is_detected_by_the_lease_of_our_push(shop: House) -> None:
    shop.start(ONE)
    up_to_the_pull(shop)
    branch = shop.pull("Make the till work")["head"]["ref"]
    pushed = push_to_branch(shop, branch, {"by_hand.txt": "better\n"})
    shop.hold_deliveries()
    shop.push({"src/others.txt": "moved on\n"}, "Move main")
    shop.work()

    assert shop.main_files()["by_hand.txt"] == "better"
    assert pushed in str(shop.events("BranchPushed"))
    assert len(shop.events("Landed")) == 1


def test_a_push_to_protected_paths_waits_and_hand_back_continues_without_it(
    shop: House,
) -> None:
    tracking = shop.start(ONE)
    up_to_the_pull(shop)
    pull = shop.pull("Make the till work")
    pushed = push_to_branch(shop, pull["head"]["ref"], {"specs/shop.md": "Nothing.\n"})
    shop.work()

    assert (
        "It changes files that the policy protects: specs/shop.md."
        in shop.comments(pull["number"])[-1]
    )
    assert shop.ref(pull["head"]["ref"]) == pushed
    assert shop.events("Landed") == []

    shop.ask(pull["number"], "/headgate hand-back")
    shop.work()

    assert shop.issue(tracking)["state"] == "closed"
    assert "Nothing." not in shop.main_files()["specs/shop.md"]


def test_peoples_words_around_a_region_stay(shop: House) -> None:
    tracking = shop.start(ONE)
    till = shop.number("Make the till work")
    for number in (tracking, till):
        body = f"Please be careful.\r\n\r\n{shop.body(number)}\r\n\r\nThanks, Ada"
        shop.api("PATCH", shop.repo(f"/issues/{number}"), {"body": body}).raise_for_status()

    shop.work()

    for number in (tracking, till):
        body = shop.body(number)
        assert body.startswith("Please be careful.")
        assert body.endswith("Thanks, Ada")
    assert "### Progress: 1 of 1 landed" in shop.body(tracking)
    assert "### Landed" in shop.body(till)


def test_a_deleted_region_is_written_again(shop: House) -> None:
    tracking = shop.plan(ONE)
    shop.api("PATCH", shop.repo(f"/issues/{tracking}"), {"body": "Mine now."}).raise_for_status()

    shop.ask(tracking, "/headgate approve")
    shop.work()

    assert shop.body(tracking).startswith("Mine now.")
    assert "### Progress: 1 of 1 landed" in shop.body(tracking)


def test_a_check_run_of_a_foreign_app_with_our_name_does_not_count(shop: House) -> None:
    app = shop.hub.register_app(
        "impostor", None, "s", {"checks": "write", "contents": "read", "metadata": "read"}, ()
    )
    shop.hub.install_app(app.app_id, "team")
    tracking = shop.start(ONE)
    shop.push({"gate.sh": "test ! -d src\n"}, "Forbid everything")
    shop.settle()
    up_to_the_pull(shop)
    head = shop.pull("Make the till work")["head"]["sha"]
    token = shop.app_token(app.app_id)
    for name in ("headgate/verdict", "headgate/gate/test"):
        said = {"name": name, "head_sha": head, "status": "completed", "conclusion": "success"}
        answer = shop.api("POST", shop.repo("/check-runs"), said, token)
        assert answer.status_code == 201
    shop.settle()

    shop.work()

    assert TILL not in shop.main_files()
    assert shop.issue(tracking)["state_reason"] == "not_planned"


def test_an_issue_closed_by_a_person_does_not_stop_the_work(shop: House) -> None:
    tracking = shop.start(ONE)
    till = shop.number("Make the till work")
    shop.api("PATCH", shop.repo(f"/issues/{till}"), {"state": "closed"}).raise_for_status()

    shop.work()

    assert TILL in shop.main_files()
    assert shop.issue(tracking)["state"] == "closed"


def test_dependencies_and_parents_are_linked_on_github(shop: House) -> None:
    tracking = shop.start(spec(requirement("TILL"), requirement("PRINTER", after="TILL")))
    till, printer = shop.number("Make the till work"), shop.number("Make the printer work")

    children = shop.api("GET", shop.repo(f"/issues/{tracking}/sub_issues")).json()
    blockers = shop.api("GET", shop.repo(f"/issues/{printer}/dependencies/blocked_by")).json()

    assert [c["number"] for c in children] == [till, printer]
    assert [b["number"] for b in blockers] == [till]


def test_a_title_with_markdown_and_mentions_is_escaped(shop: House) -> None:
    wild = ONE.replace(
        "Make the till work", "Ping @eve & close #1 <!-- headgate:plan ends --> `|` [x](y)"
    )
    tracking = shop.start(wild)
    shop.work()

    assert shop.issue(tracking)["state"] == "closed"
    assert "@eve" not in shop.body(tracking)
    assert shop.body(tracking).count("<!-- headgate:plan ends -->") == 1
    assert "### Progress: 1 of 1 landed" in shop.body(tracking)
