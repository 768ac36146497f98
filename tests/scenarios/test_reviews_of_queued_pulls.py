"""Reviews of pulls in the queue, with real GitHub behaviour: whose count, and for which commit."""

from bot.core.journal.effects import LandPull
from bot.core.journal.events import EffectIntended, PullLandAborted, PullReviewed
from bot.core.values.ids import PullNumber, Sha
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.localhub.model import Role
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.testkit.house import House

POLICY = ".github/headgate.yml"


def reviews_count(shop: House) -> tuple[str, str]:
    """One approval is needed; the tokens of a person who may write and of one who may only read."""
    dora, reader = shop.hire("dora"), shop.hire("rea", Role.READ)
    shop.push({POLICY: f"{shop.main_files()[POLICY]}\nreviews: 1\n"}, "Ask for a review")
    shop.settle()
    shop.judge_main()
    return dora, reader


def submit(shop: House, pull: int, event: str, token: str) -> int:
    asked = {"event": event, "body": "I have read it."}
    answer = shop.api("POST", shop.repo(f"/pulls/{pull}/reviews"), asked, token)
    answer.raise_for_status()
    return int(answer.json()["id"])


def push_more(shop: House, branch: str, files: dict[str, str], *, merging_main: bool) -> None:
    clone = shop.clone()
    shop.git(clone, "checkout", "-q", branch)
    if merging_main:
        shop.git(clone, "merge", "-q", "--no-edit", "origin/main")
    for path, text in files.items():
        (clone / path).write_text(text)
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-q", "--allow-empty", "-m", "More")
    shop.git(clone, "push", "-q", "origin", f"HEAD:{branch}")
    shop.settle()


def is_merged(shop: House, pull: int) -> bool:
    return bool(shop.api("GET", shop.repo(f"/pulls/{pull}")).json()["merged_at"])


def test_only_writers_can_approve_and_new_work_needs_another_approval(shop: House) -> None:
    dora, reader = reviews_count(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", dora)
    push_more(shop, "desk", {"desk.txt": "Another desk.\n"}, merging_main=False)
    submit(shop, pull, "APPROVE", reader)

    asked = shop.ask(pull, "/headgate queue")

    assert "it waits for 1 more approving review" in shop.reply(pull, asked)
    shop.work()
    assert not is_merged(shop, pull)
    submit(shop, pull, "APPROVE", dora)
    shop.settle()
    shop.work()
    assert is_merged(shop, pull)


def test_an_approval_stays_valid_after_merging_main(shop: House) -> None:
    dora, _ = reviews_count(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", dora)
    shop.push({"lamp.txt": "A lamp.\n"}, "Bring a lamp")
    shop.settle()
    shop.judge_main()
    push_more(shop, "desk", {}, merging_main=True)
    shop.ask(pull, "/headgate queue")
    shop.work()
    assert is_merged(shop, pull)


def test_requested_changes_hold_a_pull_until_they_are_dismissed(shop: House) -> None:
    dora, _ = reviews_count(shop)
    bea = shop.hire("bea")
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", dora)
    against = submit(shop, pull, "REQUEST_CHANGES", bea)
    asked = shop.ask(pull, "/headgate queue")
    assert "until @bea no longer asks for changes" in shop.reply(pull, asked)
    shop.work()
    assert not is_merged(shop, pull)
    dismissal = {"message": "It was done."}
    dismissed = shop.repo(f"/pulls/{pull}/reviews/{against}/dismissals")
    shop.api("PUT", dismissed, dismissal).raise_for_status()
    shop.settle()
    shop.work()
    assert is_merged(shop, pull)


def test_the_sweep_notices_an_approval_with_a_lost_webhook(shop: House) -> None:
    dora, _ = reviews_count(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.ask(pull, "/headgate queue")
    lost = "pull_request_review.submitted"
    shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=lost, times=9))
    submit(shop, pull, "APPROVE", dora)
    shop.settle()
    assert shop.runner.take() is None
    shop.forward(seconds=31)
    shop.sweep()
    shop.work()
    assert is_merged(shop, pull)


def test_the_landing_itself_notices_a_review_during_the_landing(shop: House) -> None:
    dora, _ = reviews_count(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", dora)
    shop.ask(pull, "/headgate queue")
    shop.work()
    assert is_merged(shop, pull)
    (landing,) = (
        event.effect
        for event in shop.events("EffectIntended")
        if isinstance(event, EffectIntended) and isinstance(event.effect, LandPull)
    )
    again, _ = open_pull(shop, "lamp", {"lamp.txt": "A lamp.\n"})
    head = shop.ref("lamp")
    facts = shop.state.facts
    assert facts is not None
    asked = landing.replace(number=PullNumber(again), head=Sha(head), base=Sha(shop.ref()))
    main = shop.history()

    aborted, reviewed = land_pull(Task(shop.ports, facts, shop.state, asked, (), False))

    assert isinstance(aborted, PullLandAborted)
    assert isinstance(reviewed, PullReviewed)
    assert reviewed.needed == 1
    assert shop.history() == main
