"""Connections to the git server: where the token is, and the outcomes of a push."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.adapters.git.remote import remote_failure
from bot.core.values.candidate import PushOutcome, PushResult, RefUpdate
from bot.core.values.ids import PullNumber, Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable, UserError
from tests.adapters.git_server import TOKEN, GitServer, serving
from tests.adapters.workshop import Workshop, facts_of, git, recipe_of

MAIN = Ref("refs/heads/main")
WINDOW = Ref("refs/heads/headgate/cart/totals")
OURS = Ref("refs/headgate/heads/1")


@pytest.fixture
def server(shop: Workshop) -> Iterator[GitServer]:
    """The remote behind HTTP and a token."""
    with serving(shop.origin.parent.parent) as running:
        yield running


@pytest.fixture
def web(server: GitServer) -> RepositoryFacts:
    """The remote's facts, reached over HTTP."""
    return facts_of(f"{server.url}/octo/shop.git")


@pytest.fixture
def git_over_http(tmp_path: Path) -> MirrorGit:
    """Only HTTP, with the installation's token, as in production."""
    return MirrorGit(tmp_path / "mirrors", lambda _: TOKEN)


def child_of(mirror: MirrorGit, facts: RepositoryFacts, parent: Sha, name: str) -> Sha:
    tree = mirror.edit_tree(facts, parent, {name: b"x"})
    return mirror.commit(facts, recipe_of(tree, parent))


def move(ref: Ref, old: Sha | None, new: Sha | None) -> RefUpdate:
    return RefUpdate(ref=ref, old=old, new=new)


def test_fetch_and_push_over_http_leave_no_token_on_disk(
    shop: Workshop,
    server: GitServer,
    web: RepositoryFacts,
    git_over_http: MirrorGit,
    tmp_path: Path,
) -> None:
    mirror, head = git_over_http, shop.head()
    mirror.fetch(web)
    made = child_of(mirror, web, head, "big.bin")
    updates = (move(MAIN, head, made), move(WINDOW, None, made), move(OURS, None, made))
    assert mirror.push(web, updates).outcome is PushOutcome.DONE
    assert shop.remote_sha(MAIN) == shop.remote_sha(OURS) == made
    assert mirror.remote_ref(web, WINDOW) == made
    assert set(server.protocols) >= {"version=2"}
    assert len(set(server.authorizations)) == 1, "every request carries it at once"
    for file in (tmp_path / "mirrors").rglob("*"):
        assert TOKEN.encode() not in (file.read_bytes() if file.is_file() else b"")


def test_a_token_is_not_sent_after_a_redirect_to_another_server(
    shop: Workshop,
    web: RepositoryFacts,
    server: GitServer,
    git_over_http: MirrorGit,
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "elsewhere") as other:
        server.redirect_to = other.url
        with pytest.raises((UserError, Retryable)):
            git_over_http.fetch(web)
        assert other.authorizations
        assert set(other.authorizations) == {""}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *(("401 Unauthorized", UserError), ("403 Forbidden", UserError)),
        *(("404 Not Found", UserError), ("429 Too Many Requests", Retryable)),
        *(("500 Internal Server Error", Retryable), ("503 Service Unavailable", Retryable)),
    ],
)
def test_refusals_and_temporary_failures_are_distinguished(
    web: RepositoryFacts,
    server: GitServer,
    git_over_http: MirrorGit,
    status: str,
    kind: type[Exception],
) -> None:
    for deed in (
        lambda: git_over_http.fetch(web),
        lambda: git_over_http.remote_ref(web, MAIN),
        lambda: git_over_http.push(web, (move(WINDOW, Sha("1" * 40), None),)),
    ):
        server.answers[:] = [status] * 3
        with pytest.raises(kind) as raised:
            deed()
        assert TOKEN not in str(raised.value)


def test_a_token_that_was_taken_back_is_replaced_once(
    shop: Workshop, web: RepositoryFacts, server: GitServer, tmp_path: Path
) -> None:
    tokens = ["taken-back", TOKEN]
    mirror = MirrorGit(tmp_path / "mirrors", lambda _: tokens[0], forget=tokens.remove)
    server.answers[:] = ["401 Unauthorized"]
    assert mirror.remote_ref(web, MAIN) == shop.head()
    mirror.fetch(web)
    server.answers[:] = ["401 Unauthorized"]
    tokens.insert(0, "taken-back too")
    made = child_of(mirror, web, shop.head(), "a.txt")
    assert mirror.push(web, (move(WINDOW, None, made),)).outcome is PushOutcome.DONE
    assert tokens == [TOKEN]


def test_an_unreachable_server_is_retryable(git_over_http: MirrorGit, shop: Workshop) -> None:
    with serving(shop.origin.parent.parent) as gone:
        url = f"{gone.url}/octo/shop.git"
    with pytest.raises(Retryable):
        git_over_http.fetch(facts_of(url))


def test_other_protocols_are_refused(tmp_path: Path, shop: Workshop) -> None:
    mirror = MirrorGit(tmp_path / "mirrors", lambda _: TOKEN)
    for url in (shop.file_url, "ext::sh -c true", "git://127.0.0.1/x", f"--upload-pack=x {shop}"):
        with pytest.raises((UserError, Retryable)):
            mirror.fetch(facts_of(url))


def test_a_secret_in_gits_error_output_is_redacted(tmp_path: Path, shop: Workshop) -> None:
    mirror = MirrorGit(tmp_path / "mirrors", lambda _: "main-nowhere", protocols=("file",))
    with pytest.raises(UserError) as raised:
        mirror.fetch(facts_of("file:///main-nowhere/x.git"))
    assert "main-nowhere" not in raised.value.sentence
    assert "'/***/x.git' does not appear to be a git repository" in raised.value.sentence


def test_a_push_with_a_stale_lease_moves_no_ref(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    old = shop.head()
    mirror.fetch(facts)
    made = child_of(mirror, facts, old, "ours.md")
    theirs = shop.commit("Theirs", {"theirs.md": "t"})
    shop.publish()
    result = mirror.push(facts, (move(MAIN, old, made), move(WINDOW, None, made)))
    assert result.outcome is PushOutcome.STALE
    assert (shop.remote_sha(MAIN), shop.remote_sha(WINDOW)) == (theirs, None)
    for lease in (old, None):
        stale = mirror.push(facts, (move(MAIN, lease, made),))
        assert stale.outcome is PushOutcome.STALE, "a ref that exists, or that is elsewhere"
    assert mirror.push(facts, (move(WINDOW, old, made),)).outcome is PushOutcome.STALE
    assert mirror.push(facts, (move(MAIN, old, None),)).outcome is PushOutcome.STALE
    assert shop.remote_sha(MAIN) == theirs


def test_pushing_twice_counts_as_done(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    head = shop.head()
    mirror.fetch(facts)
    made = child_of(mirror, facts, head, "ours.md")
    updates = (move(MAIN, head, made), move(WINDOW, None, made))
    for _ in range(2):
        assert mirror.push(facts, updates).outcome is PushOutcome.DONE
    assert mirror.push(facts, ()).outcome is PushOutcome.DONE
    more = (*updates, move(OURS, None, made))
    assert mirror.push(facts, more).outcome is PushOutcome.DONE, "the rest of what was cut off"
    away = (move(WINDOW, made, None), move(OURS, made, None))
    for _ in range(2):
        assert mirror.push(facts, away).outcome is PushOutcome.DONE
    assert (shop.remote_sha(WINDOW), shop.remote_sha(OURS)) == (None, None)
    mixed = (move(WINDOW, made, None), move(OURS, None, made))
    assert mirror.push(facts, mixed).outcome is PushOutcome.DONE
    assert shop.remote_sha(OURS) == made


def test_a_ref_can_be_moved_backwards_with_a_lease(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    head = shop.head()
    one = child_of(mirror, facts, head, "one.md")
    other = child_of(mirror, facts, head, "other.md")
    assert mirror.push(facts, (move(WINDOW, None, one),)).outcome is PushOutcome.DONE
    assert mirror.push(facts, (move(WINDOW, one, other),)).outcome is PushOutcome.DONE
    assert shop.remote_sha(WINDOW) == other


def test_a_refused_push_quotes_the_servers_message(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    hook = shop.origin / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'GH006: Protected branch update failed.' >&2\nexit 1\n")
    hook.chmod(0o755)
    head = shop.head()
    made = child_of(mirror, facts, head, "ours.md")
    result = mirror.push(facts, (move(MAIN, head, made), move(WINDOW, None, made)))
    assert result.outcome is PushOutcome.REFUSED
    assert "GH006: Protected branch update failed." in result.sentence
    assert "pre-receive hook declined" in result.sentence
    assert shop.remote_sha(MAIN) == head


def test_a_server_that_denies_non_fast_forwards_refuses(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    git(shop.origin, "config", "receive.denyDeletes", "true")
    git(shop.origin, "update-ref", WINDOW, shop.head())
    result = mirror.push(facts, (move(WINDOW, shop.head(), None),))
    assert result.outcome is PushOutcome.REFUSED
    assert "deletion prohibited" in result.sentence


def test_one_of_many_concurrent_pushes_wins(
    shop: Workshop, web: RepositoryFacts, git_over_http: MirrorGit
) -> None:
    head = shop.head()
    made = [child_of(git_over_http, web, head, f"{number}.md") for number in range(4)]
    results: dict[Sha, PushResult] = {}
    gate = threading.Barrier(len(made))

    def push(sha: Sha) -> None:
        gate.wait()
        results[sha] = git_over_http.push(web, (move(MAIN, head, sha),))

    threads = [threading.Thread(target=push, args=(sha,)) for sha in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [sha for sha, one in results.items() if one.outcome is PushOutcome.DONE]
    assert [*winners] == [shop.remote_sha(MAIN)]
    losers = [one for one in results.values() if one.outcome is not PushOutcome.DONE]
    assert {one.outcome for one in losers} == {PushOutcome.STALE}, losers


def test_pushing_a_commit_of_a_deleted_mirror_fails_with_a_sentence(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    with pytest.raises(UserError):
        mirror.push(facts, (move(WINDOW, None, Sha("3" * 40)),))
    git(shop.origin, "update-ref", WINDOW, shop.head())
    again = MirrorGit(Path(f"{shop.tree}-mirrors"), lambda _: "", protocols=("file",))
    assert again.push(facts, (move(OURS, None, shop.head()),)).outcome is PushOutcome.DONE


@pytest.mark.parametrize(
    ("complaint", "kind"),
    [
        ("remote: Repository not found.\nfatal: repository 'http://x/' not found", UserError),
        ("fatal: Authentication failed for 'http://127.0.0.1/'", UserError),
        ("remote: Permission to o/r.git denied to headgate[bot].", UserError),
        ("remote: You have exceeded a secondary rate limit.\nreturned error: 403", Retryable),
        ("fatal: the remote end hung up unexpectedly", Retryable),
        ("error: RPC failed; curl 56 Recv failure: Connection reset by peer", Retryable),
        ("fatal: unable to access 'x': Could not resolve host: github.com", Retryable),
        ("", Retryable),
    ],
)
def test_error_messages_are_classified(complaint: str, kind: type[Exception]) -> None:
    assert type(remote_failure(complaint)) is kind


def test_fetching_a_pulls_head_moves_no_ref_of_the_mirror(
    shop: Workshop, web: RepositoryFacts, git_over_http: MirrorGit, tmp_path: Path
) -> None:
    mirror = git_over_http
    mirror.fetch(web)
    stranger = git(shop.tree, "commit-tree", "-m", "A stranger's", "HEAD^{tree}", "-p", "HEAD")
    # GitHub has this ref in the base repository; a fork's branch is not there.
    git(shop.tree, "push", "--quiet", str(shop.origin), f"{stranger}:refs/pull/7/head")
    before = git(tmp_path / "mirrors" / f"{web.id}.git", "for-each-ref")
    assert not mirror.has(web, Sha(stranger))
    mirror.fetch_pull(web, PullNumber(7))
    assert mirror.has(web, Sha(stranger))
    assert git(tmp_path / "mirrors" / f"{web.id}.git", "for-each-ref") == before
    with pytest.raises(UserError):
        mirror.fetch_pull(web, PullNumber(8))
