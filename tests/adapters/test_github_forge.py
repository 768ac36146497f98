"""`GitHubForge` against localhub, over HTTP."""

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from bot.adapters.git.mirror_git import MirrorGit
from bot.adapters.github.app_tokens import NotInstalled, Purpose
from bot.adapters.github.shapes import read
from bot.core.values.candidate import PushOutcome, RefUpdate
from bot.core.values.check_run import CheckRunText, Conclusion, PublishedCheckRun
from bot.core.values.ids import (
    CommentId,
    InstallationId,
    IssueNumber,
    PullNumber,
    Ref,
    RepositoryId,
    ReviewCommentId,
    Sha,
)
from bot.core.values.repository import IssueEdit, IssueState, PullState, Role
from bot.localhub.faults import Fault, FaultKind
from bot.ports import Retryable, UserError
from gates.result import Annotation, AnnotationLevel
from tests.adapters.hub_stage import REPOSITORY, HubStage, long_ago
from tests.adapters.workshop import recipe_of

NOWHERE = Sha("1" * 40)


def test_a_repository_is_found_by_its_installation(stage: HubStage) -> None:
    facts = stage.facts
    assert (facts.full_name, facts.default_branch) == (REPOSITORY, "main")
    assert facts.app_id == stage.app_id
    assert facts.bot_login == "headgate[bot]"
    assert facts.clone_url == f"{stage.base_url}/{REPOSITORY}.git"
    count = len(stage.hub.exchanges)
    assert stage.forge.repository(stage.installation, facts.id) == facts
    assert len(stage.requests_since(count)) == 1, "who we are is asked once"
    assert stage.forge.repository(stage.installation, RepositoryId(4711)) is None
    with pytest.raises(NotInstalled):
        stage.forge.repository(InstallationId(4711), facts.id)


def test_an_issue_is_opened_edited_closed_and_reopened(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    issue = forge.open_issue(facts, "Add a cart", "- [ ] total\n", ("headgate",))
    assert (issue.title, issue.state) == ("Add a cart", IssueState.OPEN)
    assert issue.author_id == facts.bot_id
    done = IssueEdit(body="- [x] total\n", state=IssueState.CLOSED, reason="completed")
    forge.edit_issue(facts, issue.number, done)
    closed = forge.issue(facts, issue.number)
    assert closed is not None
    assert (closed.state, closed.body, closed.id) == (IssueState.CLOSED, "- [x] total\n", issue.id)
    again = IssueEdit(state=IssueState.OPEN, reason="reopened")
    forge.edit_issue(facts, issue.number, again)
    opened = forge.issue(facts, issue.number)
    assert opened is not None
    assert opened.state is IssueState.OPEN
    assert forge.issue(facts, IssueNumber(4711)) is None


def test_issues_by_us_are_recognised_by_their_author(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    stage.as_person("ada", "/issues", {"title": "Not ours", "body": "<!-- headgate:o1 -->"})
    ours = [forge.open_issue(facts, f"Change {number}", "b", ()) for number in range(3)]
    dropped = IssueEdit(state=IssueState.CLOSED, reason="not_planned")
    forge.edit_issue(facts, ours[0].number, dropped)
    found = forge.issues_by_us(facts, long_ago())
    assert [issue.number for issue in found] == [issue.number for issue in ours]
    assert forge.issues_by_us(facts, datetime.now(UTC) + timedelta(hours=1)) == ()


def test_linking_issues_twice_is_not_an_error(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    parent, child, other = (forge.open_issue(facts, title, "", ()) for title in "abc")
    for _ in range(2):
        forge.link_sub_issue(facts, parent.number, child.id)
        forge.link_blocked_by(facts, other.number, child.id)
    with pytest.raises(UserError):
        forge.link_sub_issue(facts, parent.number, 4711)
    with pytest.raises(UserError):
        forge.link_blocked_by(facts, IssueNumber(4711), child.id)


def test_comments_by_people_and_bots_are_distinguished(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    issue = forge.open_issue(facts, "Add a cart", "", ())
    ours = forge.comment_on_issue(facts, issue.number, "Working on it.")
    path = f"/issues/{issue.number}/comments"
    theirs = stage.as_person("ada", path, {"body": "/headgate retry"})
    comments = forge.issue_comments(facts, issue.number)
    assert [(one.author, one.author_is_person) for one in comments] == [
        *(("headgate[bot]", False), ("ada", True))
    ]
    asked = forge.comment(facts, CommentId(int(str(theirs["id"]))))
    assert asked == comments[1]
    assert asked.issue == issue.number
    assert comments[0].id == ours
    assert set(forge.comments_since(facts, long_ago())) == set(comments)
    assert forge.comments_since(facts, datetime.now(UTC) + timedelta(hours=1)) == ()
    assert forge.comment(facts, CommentId(4711)) is None
    for _ in range(2):
        forge.react(facts, asked.id, "eyes")


def test_a_comment_of_ours_is_edited_in_place(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    issue = forge.open_issue(facts, "Add a cart", "", ())
    ours = forge.comment_on_issue(facts, issue.number, "Which cart?")
    for _ in range(2):
        forge.edit_comment(facts, ours, "Which cart? The red one.")
    told = forge.issue_comments(facts, issue.number)
    assert [(one.id, one.body) for one in told] == [(ours, "Which cart? The red one.")]
    with pytest.raises(UserError):
        forge.edit_comment(facts, CommentId(4711), "Which?")


def test_all_pages_of_a_list_are_read(stage: HubStage) -> None:
    stage.hub.secondary_limits.lift()
    issue = stage.forge.open_issue(stage.facts, "Talkative", "", ())
    for number in range(105):
        stage.as_person("ada", f"/issues/{issue.number}/comments", {"body": str(number)})
    count = len(stage.hub.exchanges)
    comments = stage.forge.issue_comments(stage.facts, issue.number)
    assert [one.body for one in comments] == [str(number) for number in range(105)]
    assert len(stage.requests_since(count)) <= 3, "two pages, and at most one token"


def test_roles_are_read_from_the_repository(stage: HubStage) -> None:
    roles = {login: stage.forge.role(stage.facts, login) for login in ("octo", "ada", "bob", "eve")}
    assert roles == {
        **{"octo": Role.ADMIN, "ada": Role.MAINTAIN, "bob": Role.WRITE, "eve": Role.NONE}
    }
    assert stage.forge.role(stage.facts, "nobody-of-that-name") is Role.NONE
    assert stage.forge.role(stage.facts, "../../octo") is Role.NONE


def branch(stage: HubStage, folder: Path, name: str) -> Sha:
    """A branch with one commit, pushed with the App's own token."""
    mirror = MirrorGit(folder, lambda facts: stage.forge.tokens.token_for(facts, Purpose.PUSH))
    mirror.fetch(stage.facts)
    tree = mirror.edit_tree(stage.facts, stage.head(), {f"{name}.md": b"x"})
    made = mirror.commit(stage.facts, recipe_of(tree, stage.head()))
    update = RefUpdate(ref=Ref(f"refs/heads/{name}"), old=None, new=made)
    assert mirror.push(stage.facts, (update,)).outcome is PushOutcome.DONE
    return made


def test_git_pushes_with_a_token_of_the_forge(stage: HubStage, tmp_path: Path) -> None:
    made = branch(stage, tmp_path / "mirrors", "headgate/cart/totals")
    pull = stage.forge.open_pull(stage.facts, "headgate/cart/totals", "Add totals", "Closes #1")
    assert (pull.head_sha, pull.base_branch, pull.state) == (made, "main", PullState.OPEN)
    stage.forge.edit_pull_body(stage.facts, pull.number, "Closes #2")
    found = stage.forge.pull(stage.facts, pull.number)
    assert found is not None
    assert found.body == "Closes #2"
    assert stage.forge.pull_of_branch(stage.facts, "headgate/cart/totals") == found
    assert stage.forge.pull_of_branch(stage.facts, "headgate/cart") is None
    assert stage.forge.issues_by_us(stage.facts, long_ago()) == (), "a pull is no issue"
    with pytest.raises(UserError, match="already exists"):
        stage.forge.open_pull(stage.facts, "headgate/cart/totals", "Add totals", "")
    stage.forge.close_pull(stage.facts, pull.number)
    closed = stage.forge.pull_of_branch(stage.facts, "headgate/cart/totals")
    assert closed is not None
    assert closed.state is PullState.CLOSED
    assert stage.forge.pull(stage.facts, PullNumber(4711)) is None


def test_comments_of_reviews_are_listed_with_their_place(stage: HubStage, tmp_path: Path) -> None:
    forge, facts = stage.forge, stage.facts
    made = branch(stage, tmp_path / "mirrors", "window")
    pull = forge.open_pull(facts, "window", "Add", "")
    place = {"path": "window.md", "line": 1, "commit_id": made}
    path = f"/pulls/{pull.number}/comments"
    said = stage.as_person("bob", path, {"body": "Why x?", **place})
    id_ = ReviewCommentId(int(str(said["id"])))

    (found,) = forge.review_comments_since(facts, long_ago())

    assert found == forge.review_comment(facts, id_)
    assert (found.pull, found.path, found.line) == (pull.number, "window.md", 1)
    assert (found.body, found.author, found.author_is_person) == ("Why x?", "bob", True)
    assert forge.review_comments_since(facts, datetime.now(UTC) + timedelta(hours=1)) == ()
    assert forge.review_comment(facts, ReviewCommentId(4711)) is None
    for _ in range(2):
        forge.react_to_review(facts, id_, "rocket")


def test_a_thread_of_a_review_is_answered_and_resolved(stage: HubStage, tmp_path: Path) -> None:
    forge, facts = stage.forge, stage.facts
    made = branch(stage, tmp_path / "mirrors", "window")
    pull = forge.open_pull(facts, "window", "Add", "").number
    place = {"path": "window.md", "line": 1, "commit_id": made}
    said = stage.as_person("bob", f"/pulls/{pull}/comments", {"body": "Why x?", **place})
    root = ReviewCommentId(int(str(said["id"])))

    forge.reply_to_review(facts, pull, root, "For y.")

    (thread,) = forge.review_threads(facts, pull)
    assert (thread.root, thread.is_resolved) == (root, False)
    assert [(one.body, one.is_ours) for one in thread.comments] == [
        ("Why x?", False),
        ("For y.", True),
    ]
    assert thread.comments[0].author == "bob"
    reply = forge.review_comment(facts, thread.comments[1].id)
    assert reply is not None
    assert (reply.thread, reply.author_is_person) == (root, False)
    for _ in range(2):
        assert forge.resolve_thread(facts, thread.id)
    assert forge.review_threads(facts, pull)[0].is_resolved
    with pytest.raises(UserError, match="cannot be read"):
        forge.review_threads(facts, PullNumber(4711))
    assert not forge.resolve_thread(facts, "PRRT_unknown")


def test_threads_beyond_a_page_are_read(stage: HubStage, tmp_path: Path) -> None:
    made = branch(stage, tmp_path / "mirrors", "window")
    pull = stage.forge.open_pull(stage.facts, "window", "Add", "").number
    comment = {"body": "Why?", "path": "window.md", "line": 1, "commit_id": made}
    first = int(str(stage.as_person("bob", f"/pulls/{pull}/comments", comment)["id"]))
    held = stage.hub.state.review_comments
    # By hand: GitHub does not let anybody write so many in a minute.
    for id_ in range(first + 1_000, first + 1_100):
        held[id_] = replace(held[first], id=id_)

    threads = stage.forge.review_threads(stage.facts, pull)

    assert [one.root for one in threads] == sorted(held)


def test_a_pull_whose_branch_is_on_main_is_merged(stage: HubStage, tmp_path: Path) -> None:
    before = stage.head()
    made = branch(stage, tmp_path / "mirrors", "window")
    pull = stage.forge.open_pull(stage.facts, "window", "Add", "")
    mirror = MirrorGit(
        tmp_path / "mirrors", lambda facts: stage.forge.tokens.token_for(facts, Purpose.PUSH)
    )
    land = RefUpdate(ref=stage.facts.main_ref, old=before, new=made)
    assert mirror.push(stage.facts, (land,)).outcome is PushOutcome.DONE
    landed = stage.forge.pull(stage.facts, pull.number)
    assert landed is not None
    assert landed.state is PullState.MERGED


def text(notes: int, conclusion: Conclusion | None = Conclusion.FAILURE) -> CheckRunText:
    """A check run with so many annotations."""
    return CheckRunText(
        name="headgate/verdict",
        conclusion=conclusion,
        title="2 gates failed",
        summary="é" * 70_000,
        text="```\n" + "log\n" * 30_000,
        annotations=tuple(
            Annotation(
                path="src/cart.py",
                line_start=number + 1,
                line_end=number + 1,
                level=AnnotationLevel.FAILURE,
                title="t" * 300,
                message=f"note {number}",
            )
            for number in range(notes)
        ),
    )


def test_a_check_run_can_have_any_number_of_annotations(stage: HubStage) -> None:
    forge, facts, head = stage.forge, stage.facts, stage.head()
    made = forge.create_check_run(facts, head, "c1/verdict", text(0, None))
    assert forge.check_run_by_us(facts, head, "c1/verdict") == PublishedCheckRun(id=made)
    forge.update_check_run(facts, made, text(120))
    assert messages_of(stage, made) == [f"note {number}" for number in range(120)]
    token = forge.tokens.token_for(facts, Purpose.READ)
    shown = forge.api.send("GET", f"/repos/{REPOSITORY}/check-runs/{made}", token)
    assert isinstance(shown, dict)
    assert (shown["status"], shown["conclusion"]) == ("completed", "failure")
    ended = PublishedCheckRun(id=made, conclusion="failure")
    assert forge.check_run_by_us(facts, head, "c1/verdict") == ended
    assert forge.check_run_by_us(facts, head, "c1") is None
    assert forge.check_run_by_us(facts, NOWHERE, "c1/verdict") is None
    second = forge.create_check_run(facts, head, "c2/verdict", text(51, Conclusion.SUCCESS))
    assert len(messages_of(stage, second)) == 51


def messages_of(stage: HubStage, check_run: int) -> list[str]:
    """The annotations of a check run, as anyone sees them."""
    token = stage.forge.tokens.token_for(stage.facts, Purpose.READ)
    path = f"/repos/{REPOSITORY}/check-runs/{check_run}/annotations"
    pages = [read(list[Shown], page) for page in stage.forge.api.pages(path, token, {})]
    return [note.message for page in pages for note in page]


class Shown(BaseModel):
    """An annotation as GitHub shows it."""

    message: str


def test_a_body_that_is_too_long_is_cut(stage: HubStage) -> None:
    body = "```\n" + "x" * 80_000 + "\n```\n<!-- headgate:change cart/totals -->"
    issue = stage.forge.open_issue(stage.facts, "t" * 400, body, ())
    assert len(issue.body) <= 65_536
    assert issue.body.endswith("<!-- headgate:change cart/totals -->")
    assert len(issue.title) <= 256


def test_a_write_with_a_lost_answer_is_not_sent_again(stage: HubStage) -> None:
    stage.forge.issue(stage.facts, IssueNumber(1))
    stage.forge.open_issue(stage.facts, "First", "", ())
    stage.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/issues"))
    count = len(stage.hub.exchanges)
    with pytest.raises(Retryable):
        stage.forge.open_issue(stage.facts, "Once", "", ())
    titles = [issue.title for issue in stage.forge.issues_by_us(stage.facts, long_ago())]
    assert titles.count("Once") == 1
    writes = [one for one in stage.requests_since(count) if one.startswith("POST")]
    assert len(writes) == 1


def test_a_read_with_a_lost_answer_is_sent_again(stage: HubStage) -> None:
    issue = stage.forge.open_issue(stage.facts, "First", "", ())
    stage.hub.faults.add(Fault(kind=FaultKind.LOSE_ANSWER, method="GET", path_glob="*/issues/*"))
    assert stage.forge.issue(stage.facts, issue.number) == issue


@pytest.mark.parametrize("status", [500, 502, 503])
def test_server_errors_are_retryable(stage: HubStage, status: int) -> None:
    stage.forge.open_issue(stage.facts, "First", "", ())
    for method in ("GET", "POST"):
        stage.hub.faults.add(
            Fault(kind=FaultKind.REFUSE_BEFORE, method=method, path_glob="*/issues*", status=status)
        )
    count = len(stage.hub.exchanges)
    with pytest.raises(Retryable):
        stage.forge.open_issue(stage.facts, "Again", "", ())
    with pytest.raises(Retryable):
        stage.forge.issues_by_us(stage.facts, long_ago())
    issues = [one for one in stage.requests_since(count) if "/issues" in one]
    assert len(issues) == 2, "nothing is sent again by the adapter"


def test_a_rejected_token_is_replaced_once(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    # Other teams grant more; see `test_github_rules`.
    granted = set(Purpose) - {Purpose.SETTINGS, Purpose.STATUSES, Purpose.MERGE_QUEUE}
    for purpose in granted:
        token = forge.tokens.token_for(facts, purpose)
        forge.api.send("DELETE", "/installation/token", token)
    assert forge.open_issue(facts, "Still", "", ()).title == "Still"
    assert forge.issues_by_us(facts, long_ago())


def test_each_token_is_limited_to_its_purpose(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    look = forge.tokens.token_for(facts, Purpose.READ)
    with pytest.raises(UserError, match="403"):
        forge.api.send("POST", f"/repos/{REPOSITORY}/issues", look, body={"title": "No"})
    judge = forge.tokens.token_for(facts, Purpose.CHECK_RUNS)
    with pytest.raises(UserError, match="403"):
        forge.api.send("POST", f"/repos/{REPOSITORY}/issues", judge, body={"title": "No"})


def test_threads_do_not_get_each_others_responses(stage: HubStage) -> None:
    forge, facts = stage.forge, stage.facts
    issues = [forge.open_issue(facts, f"Issue {number}", "", ()) for number in range(8)]
    wrong: list[str] = []

    def look(at: int) -> None:
        for _ in range(12):
            found = forge.issue(facts, issues[at].number)
            if found is None or found.title != f"Issue {at}":
                wrong.append(f"{at}: {found}")

    threads = [threading.Thread(target=look, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_repository_removed_from_the_installation_is_refused_with_a_sentence(
    stage: HubStage,
) -> None:
    gone = stage.facts.model_copy(update={"installation_id": InstallationId(4711)})
    with pytest.raises(NotInstalled, match="may not be installed"):
        stage.forge.issue(gone, IssueNumber(1))
