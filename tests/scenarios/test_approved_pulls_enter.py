"""Approved and green pulls enter the queue by themselves, with real GitHub behaviour."""

from bot.core.values.ids import PullNumber
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.shell.observe_approved import REVIEWS_A_LOOK, REVIEWS_AGAIN
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_reviews_of_queued_pulls import POLICY, is_merged, submit
from tests.testkit.house import House

SCAN = "  scan: {external: {check: scan}}\n"


def auto_queue(shop: House, *, scan: bool = False) -> str:
    """Approved pulls enter by themselves; the token of a person who may approve."""
    dora = shop.hire("dora")
    policy = shop.main_files()[POLICY].replace("gates:\n", f"gates:\n{SCAN if scan else ''}", 1)
    shop.push({POLICY: f"{policy}\nauto_queue: approved\n"}, "Let approved pulls enter")
    shop.settle()
    shop.judge_main()
    return dora


def report(shop: House, sha: str) -> int:
    """Another App reports its check green; as GitHub names him, a person has caused that. The App's id."""
    app = shop.hub.register_app("scanner", None, "s", {"checks": "write"}, ())
    shop.hub.install_app(app.app_id, "team")
    rescan(shop, app.app_id, sha, "success")
    return app.app_id


def rescan(shop: House, app: int, sha: str, conclusion: str) -> None:
    check = {"name": "scan", "head_sha": sha, "conclusion": conclusion}
    token = shop.app_token(app)
    shop.api("POST", shop.repo("/check-runs"), check, token).raise_for_status()


def asked_for_reviews(shop: House) -> list[str]:
    return [one.path for one in shop.hub.exchanges if one.path.endswith("/reviews")]


def lose(shop: House, event: str) -> None:
    shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=event, times=99))


def test_an_approved_pull_is_queued_and_lands_without_a_command(shop: House) -> None:
    dora = auto_queue(shop)
    pull, head = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    shop.settle()
    assert PullNumber(pull) not in shop.state.queued_pulls
    submit(shop, pull, "APPROVE", dora)
    shop.settle()
    assert shop.state.queued_pulls[PullNumber(pull)].head == head
    shop.work()
    assert is_merged(shop, pull)
    said = [text for text in shop.comments(pull) if "so it enters the queue" in text]
    assert len(said) == 1
    assert "To remove it, comment `/headgate dequeue`" in said[0]


def test_a_full_look_finds_approvals_with_lost_webhooks(shop: House) -> None:
    dora = auto_queue(shop, scan=True)
    pull, head = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    lose(shop, "pull_request_review.submitted")
    lose(shop, "check_*")
    submit(shop, pull, "APPROVE", dora)
    shop.forward(seconds=31)
    shop.sweep()
    assert PullNumber(pull) not in shop.state.queued_pulls
    report(shop, head)
    shop.settle()
    assert PullNumber(pull) not in shop.state.queued_pulls
    shop.forward(seconds=31)
    shop.sweep()
    assert PullNumber(pull) in shop.state.queued_pulls


def test_a_check_that_fails_during_the_gates_prevents_the_landing(shop: House) -> None:
    dora = auto_queue(shop, scan=True)
    pull, head = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", dora)
    app = report(shop, head)
    shop.settle()
    assert PullNumber(pull) in shop.state.queued_pulls
    rescan(shop, app, head, "failure")
    shop.work()
    assert not is_merged(shop, pull)
    assert "no longer green (`scan`)" in shop.state.queued_pulls[PullNumber(pull)].sentence
    rescan(shop, app, head, "success")
    shop.forward(minutes=10)
    shop.ring_due()
    shop.work()
    assert is_merged(shop, pull)


def test_a_dequeued_pull_is_not_queued_again_automatically(shop: House) -> None:
    dora = auto_queue(shop)
    pull, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    submit(shop, pull, "APPROVE", dora)
    shop.settle()
    shop.ask(pull, "/headgate dequeue")
    shop.forward(seconds=31)
    shop.sweep()
    shop.work()
    assert not is_merged(shop, pull)


def open_pulls_unseen(shop: House, pulls: int) -> None:
    """So many pulls that no webhook tells of."""
    clone = shop.clone()
    for number in range(pulls):
        shop.git(clone, "checkout", "-q", "-b", f"b{number}", "origin/main")
        shop.git(clone, "commit", "-q", "--allow-empty", "-m", "More")
        shop.git(clone, "push", "-q", "origin", f"HEAD:b{number}")
    lose(shop, "pull_request.*")
    for number in range(pulls):
        asked = {"title": "More", "head": f"b{number}", "base": "main", "body": ""}
        shop.api("POST", shop.repo("/pulls"), asked).raise_for_status()
    shop.settle()


def test_a_full_look_reads_the_reviews_of_each_pull_once(shop: House) -> None:
    auto_queue(shop)
    pulls = 25
    open_pulls_unseen(shop, pulls)

    asked_a_look = []
    for _ in range(3):
        before = len(asked_for_reviews(shop))
        shop.forward(seconds=31)
        shop.sweep()
        asked_a_look.append(len(asked_for_reviews(shop)) - before)

    assert asked_a_look == [REVIEWS_A_LOOK, pulls - REVIEWS_A_LOOK, 0]


def test_pulls_never_checked_for_reviews_are_checked_first(shop: House) -> None:
    auto_queue(shop)
    pulls = 25
    open_pulls_unseen(shop, pulls)
    for _ in range(2):
        shop.forward(seconds=REVIEWS_AGAIN.seconds + 1)
        shop.sweep()
    assert len(set(asked_for_reviews(shop))) == pulls
