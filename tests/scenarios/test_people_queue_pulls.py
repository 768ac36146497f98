"""People's pulls go through the queue: real git, real merges, and GitHub shows them merged."""

import threading

import pytest

from bot.core.journal.effects import LandPull
from bot.core.journal.events import EffectIntended, PullLanded
from bot.core.values.ids import RepositoryId
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.localhub.model import Role
from bot.shell import intake
from bot.shell.observe import Observer
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.reconcile import reconcile
from tests.testkit.house import House, make_house_ports

POLICY = ".github/headgate.yml"


def open_pull(
    shop: House, branch: str, files: dict[str, str], base: str = "main"
) -> tuple[int, str]:
    """Ada opens a pull of a branch on today's main; its number and head. Nothing of it is heard yet."""
    clone = shop.clone()
    shop.git(clone, "checkout", "-q", "-b", branch, f"origin/{base}")
    for path, text in files.items():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_text(text)
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-q", "-m", f"Bring {branch}")
    shop.git(clone, "push", "-q", "origin", f"HEAD:{branch}")
    asked = {"title": f"Bring {branch}", "head": branch, "base": base, "body": ""}
    answer = shop.api("POST", shop.repo("/pulls"), asked)
    answer.raise_for_status()
    return int(answer.json()["number"]), shop.git(clone, "rev-parse", "HEAD")


def _pull(shop: House, branch: str, files: dict[str, str]) -> tuple[int, str]:
    opened = open_pull(shop, branch, files)
    shop.settle()
    return opened


def _parents(shop: House, commit: str) -> list[str]:
    git = shop.hub.repository(shop.full_name).git
    return shop.git(git.folder, "show", "-s", "--format=%P", commit).split()


def _queue_issue(shop: House) -> str:
    """Its text, as GitHub shows it."""
    issues = shop.api("GET", shop.repo("/issues")).json()
    (issue,) = (one for one in issues if one["title"] == "The queue of this repository")
    return str(issue["body"])


def test_two_pulls_land_one_after_the_other(shop: House) -> None:
    docs, docs_head = _pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    desk, _ = _pull(shop, "desk", {"desk.txt": "A desk.\n"})
    asked = shop.ask(docs, "/headgate queue")
    shop.ask(desk, "/headgate queue priority 2")

    assert "In the queue at place 1." in shop.reply(docs, asked)
    assert f"| 1 | #{docs} Bring docs (queued by `ada`) | its gates are running |" in _queue_issue(
        shop
    )
    shop.work()
    shop.forward(seconds=60)
    shop.ring_due()
    assert "**0 entries in the queue.**" in _queue_issue(shop)

    assert {"docs/read.md", "desk.txt"} <= shop.main_files().keys()
    for number in (docs, desk):
        seen = shop.api("GET", shop.repo(f"/pulls/{number}")).json()
        assert seen["merged_at"], number
    assert shop.checks(docs_head)["headgate/queue"].conclusion == "success"
    line = next(line for line in shop.state.ledger if line.pull == docs)
    assert _parents(shop, line.sha) == [line.previous, docs_head]
    verdict = shop.checks(line.sha)["headgate/verdict"]
    assert verdict.conclusion == "success"
    # Nothing came to main that Headgate would have to judge afterwards.
    assert [one.kind.value for one in shop.state.ledger[1:] if one.kind.value == "adopted"] == []
    git = shop.hub.repository(shop.full_name).git
    assert shop.git(git.folder, "for-each-ref", "refs/headgate/pulls/") == ""


def test_a_pull_with_conflicts_or_workflow_edits_is_refused_with_the_reason(shop: House) -> None:
    shop.push({"desk.txt": "one\n"})
    shop.work()
    desk, _ = _pull(shop, "desk", {"desk.txt": "two\n"})
    flow, _ = _pull(shop, "flow", {".github/workflows/more.yml": "on: push\n"})
    shop.push({"desk.txt": "three\n"})
    shop.work()
    shop.ask(desk, "/headgate queue")
    shop.ask(flow, "/headgate queue")

    assert any("It conflicts with main" in text for text in shop.comments(desk))
    assert any("It edits `.github/workflows`" in text for text in shop.comments(flow))
    assert shop.runner.take() is None


def test_a_lost_answer_and_a_late_push_are_handled(shop: House) -> None:
    docs, _ = _pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    shop.ask(docs, "/headgate queue")
    gates = shop.runner.take()
    assert gates is not None
    shop.runner.do(gates)
    shop.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, path_glob="/api/graphql", nth=1))
    shop.settle()
    shop.forward(seconds=30)
    shop.ring_due()

    assert [line.kind.value for line in shop.state.ledger[1:]] == ["landed"]
    assert shop.events("PullLanded")
    assert shop.api("GET", shop.repo(f"/pulls/{docs}")).json()["merged_at"]

    desk, _ = _pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.ask(desk, "/headgate queue")
    clone = shop.clone()
    shop.git(clone, "checkout", "-q", "desk")
    (clone / "desk.txt").write_text("Another desk.\n")
    shop.git(clone, "commit", "-q", "-a", "-m", "More")
    shop.git(clone, "push", "-q", "origin", "HEAD:desk")
    shop.settle()
    assert any("Only a queued commit can land" in text for text in shop.comments(desk))
    assert "desk.txt" not in shop.main_files()


@pytest.mark.parametrize("look_first", [True, False])
def test_a_repeated_landing_lands_once(shop: House, look_first: bool) -> None:
    """By a process that knows of the first landing, and by one that was delayed before its look."""
    docs, _ = _pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    shop.ask(docs, "/headgate queue")
    shop.work()
    (landing,) = (
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, LandPull)
    )
    facts = shop.state.facts
    assert facts is not None
    main = shop.history()

    (again,) = land_pull(Task(shop.ports, facts, shop.state, landing, (), look_first))

    assert isinstance(again, PullLanded)
    assert (again.sha, again.moved_by) == (landing.candidate, None)
    assert shop.history() == main


def test_a_label_queues_a_pull_even_if_its_webhook_is_lost(shop: House) -> None:
    docs, _ = _pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    desk, _ = _pull(shop, "desk", {"desk.txt": "A desk.\n"})
    label = {"labels": ["headgate:queue"]}
    shop.api("POST", shop.repo(f"/issues/{docs}/labels"), label).raise_for_status()
    shop.settle()
    lost = "pull_request.labeled"
    shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=lost, times=9))
    shop.api("POST", shop.repo(f"/issues/{desk}/labels"), label).raise_for_status()
    shop.settle()
    assert [pull.number for pull in shop.state.queued_pulls.values()] == [docs]
    shop.work()
    shop.forward(seconds=31)
    shop.sweep()
    shop.work()

    for number in (docs, desk):
        assert shop.api("GET", shop.repo(f"/pulls/{number}")).json()["merged_at"], number
    comments = shop.api("GET", shop.repo(f"/issues/{docs}/comments")).json()
    assert sum("In the queue at place 1." in one["body"] for one in comments) == 1


def test_a_pull_that_edits_the_policy_lands_by_old_and_new_gates(shop: House) -> None:
    shop.hire("mia", Role.MAINTAIN)
    brought = f"{shop.main_files()[POLICY]}\n  notes: {{run: test -e notes.txt}}\n"
    bare, _ = _pull(shop, "bare", {POLICY: brought})
    whole, head = _pull(shop, "whole", {POLICY: brought, "notes.txt": "A note.\n"})
    for number in (bare, whole):
        shop.ask(number, "/headgate queue")
    shop.work()
    assert any("It edits `.github/headgate.yml`" in text for text in shop.comments(whole))
    assert "notes" not in shop.main_files()[POLICY]

    shop.ask(bare, "/headgate allow abcdef0123", login="mia")
    assert any("is not the queued head" in text for text in shop.comments(bare))
    for number in (bare, whole):
        pull = shop.api("GET", shop.repo(f"/pulls/{number}")).json()
        shop.ask(number, f"/headgate allow {pull['head']['sha'][:12]}", login="mia")
        shop.work()

    assert any("notes" in text for text in shop.comments(bare) if "Out of the queue" in text)
    assert shop.main_files()[POLICY] == brought.strip()
    line = next(line for line in shop.state.ledger if line.pull == whole)
    assert line.allowed == (".github/headgate.yml by @mia",)
    assert _parents(shop, line.sha)[1] == head


def test_concurrent_workers_make_one_candidate_and_one_comment(shop: House) -> None:
    docs, _ = _pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    asked = shop.comment(docs, "/headgate queue", shop.tokens["ada"])
    intake.digest(shop.ports, *shop.hold_deliveries())
    repository = RepositoryId(shop.hub.repository(shop.full_name).id)
    begin = threading.Barrier(10)

    def look(name: str) -> None:
        made = make_house_ports(shop.settings, shop.bell, shop.clock)
        ports = Ports(**{**made.__dict__, "holder": name})
        begin.wait()
        reconcile(ports, Observer(ports), repository)

    workers = [threading.Thread(target=look, args=(f"worker {n}",)) for n in range(10)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    shop.settle()
    git = shop.hub.repository(shop.full_name).git
    refs = shop.git(git.folder, "for-each-ref", "--format=%(refname)", "refs/headgate").split()
    assert len([ref for ref in refs if f"/pulls/{docs}/" in ref]) == 1
    assert len(shop.events("PullCandidateBuilt")) == len(shop.events("PullGatesOrdered")) == 1
    assert len(shop.comments(docs)) == 2
    assert "In the queue at place 1." in shop.reply(docs, asked)
    shop.work()
    assert [line.kind.value for line in shop.state.ledger[1:]] == ["landed"]
