"""Tips of many repositories in one query: what counts of an answer, and what is a limit or a failure."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.adapters.github.forge import GitHubForge
from bot.core.values.branch_tips import WatchedBranches
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.localhub.model import Visibility
from bot.ports import Limited, Retryable, UserError
from tests.adapters.hub_stage import HubStage
from tests.adapters.rest_server import Answer, RestServer, rest_server

A, B = Sha("a" * 40), Sha("b" * 40)
SHOP = WatchedBranches(
    repository=RepositoryId(7), full_name="octo/shop", branches=("main", "release/1")
)
DOCS = WatchedBranches(repository=RepositoryId(8), full_name="octo/docs", branches=("main",))
INSTALLATION = InstallationId(1)
GRAPHQL = "POST /graphql"


def ref(sha: object) -> dict[str, object]:
    return {"target": {"oid": sha}}


WELL = {"databaseId": 8, "b0": ref(B)}


@pytest.fixture(scope="module")
def key() -> str:
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.fixture
def server() -> Iterator[RestServer]:
    """A server that creates tokens."""
    with rest_server() as running:
        until = datetime.now(UTC) + timedelta(hours=1)
        token = Answer(201, {"token": "ghs_all", "expires_at": until.isoformat()})
        running.answer("POST /app/installations/1/access_tokens", token)
        yield running


@pytest.fixture
def forge(server: RestServer, key: str) -> GitHubForge:
    return GitHubForge(server.url, 5, key)


def test_many_repositories_are_requested_in_one_query(
    server: RestServer, forge: GitHubForge
) -> None:
    told = {"databaseId": 7, "b0": ref(A), "b1": ref(B)}
    server.answer(GRAPHQL, Answer(200, {"data": {"r0": told, "r1": WELL}}))

    tips = forge.tips(INSTALLATION, (SHOP, DOCS))

    assert tips.of == {7: {"main": A, "release/1": B}, 8: {"main": B}}
    assert not tips.complaint
    (asked,) = server.requests_to(GRAPHQL)
    assert asked.body["variables"] == {
        **{"o0": "octo", "n0": "shop", "b0_0": "refs/heads/main"},
        **{"b0_1": "refs/heads/release/1", "o1": "octo", "n1": "docs", "b1_0": "refs/heads/main"},
    }


def test_the_token_can_only_read_contents_of_the_installation(
    server: RestServer, forge: GitHubForge
) -> None:
    server.answer(GRAPHQL, Answer(200, {"data": {"r0": WELL}}))
    for _ in range(2):
        forge.tips(INSTALLATION, (DOCS,))
    (minted,) = server.requests_to("POST /app/installations/1/access_tokens")
    assert minted.body == {"permissions": {"metadata": "read", "contents": "read"}}


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "HTML",
        {},
        {"databaseId": 7},
        {"databaseId": 7, "b0": None},
        {"databaseId": 7, "b0": {"target": None}},
        {"databaseId": 7, "b0": {"target": {}}},
        {"databaseId": 7, "b0": ref(None)},
        {"databaseId": 7, "b0": ref("")},
        {"databaseId": 7, "b0": ref("a" * 39)},
        {"databaseId": 7, "b0": ref("A" * 40)},
        {"databaseId": 7, "b0": ref("a" * 40 + "\n")},
        {"databaseId": 7, "b0": ref(5)},
        {"databaseId": 7, "b0": [ref(A)]},
        {"databaseId": None, "b0": ref(A)},
        {"databaseId": "7", "b0": ref(A)},
        # The name is another repository's by now.
        {"databaseId": 9, "b0": ref(A)},
        {"b0": ref(A)},
    ],
)
def test_an_incomplete_entry_does_not_hide_others(
    server: RestServer, forge: GitHubForge, told: object
) -> None:
    error = {"type": "NOT_FOUND", "path": ["r0"], "message": "Could not resolve to a Repository."}
    server.answer(GRAPHQL, Answer(200, {"data": {"r0": told, "r1": WELL}, "errors": [error]}))

    tips = forge.tips(INSTALLATION, (SHOP, DOCS))

    assert tips.of == {8: {"main": B}}
    assert tips.complaint == "Could not resolve to a Repository."


def test_a_known_branch_counts_although_others_are_missing(
    server: RestServer, forge: GitHubForge
) -> None:
    told = {"databaseId": 7, "b0": ref(A), "b1": None}
    server.answer(GRAPHQL, Answer(200, {"data": {"r0": told}}))
    assert forge.tips(INSTALLATION, (SHOP, DOCS)).of == {7: {"main": A}}


def errors(**error: object) -> dict[str, object]:
    return {"data": {"r0": WELL}, "errors": [{"message": "First", "type": "NOT_FOUND"}, error]}


SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        (Answer(403, {"message": SECONDARY}), 60),
        (Answer(429, {"message": "Slow"}, {"Retry-After": "90"}), 90),
        (Answer(200, errors(message=SECONDARY)), 60),
        (Answer(200, errors(message="Wait"), {"Retry-After": "120"}), 120),
        (Answer(200, {"errors": [{"message": SECONDARY}]}), 60),
    ],
)
def test_a_secondary_limit_is_recognised_with_any_status(
    server: RestServer, forge: GitHubForge, answer: Answer, after: int
) -> None:
    server.answer(GRAPHQL, answer)
    with pytest.raises(Limited) as limited:
        forge.tips(INSTALLATION, (DOCS,))
    assert limited.value.after == timedelta(seconds=after)


@pytest.mark.parametrize("kind", ["RATE_LIMITED", "RATE_LIMIT"])
def test_spent_graphql_points_do_not_limit_rest(
    server: RestServer, forge: GitHubForge, kind: str
) -> None:
    said = {"type": kind, "message": "API rate limit already exceeded for installation ID 1."}
    server.answer(GRAPHQL, Answer(200, {"errors": [said]}))
    with pytest.raises(Retryable) as failure:
        forge.tips(INSTALLATION, (DOCS,))
    assert not isinstance(failure.value, Limited)
    assert failure.value.after == timedelta(seconds=60)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(200, "<!DOCTYPE html><html><body>Please wait</body></html>"), Retryable),
        (Answer(200, '{"data": {"r0": {"databa'), Retryable),
        (Answer(200, []), Retryable),
        (Answer(200, {}), Retryable),
        (Answer(200, {"data": None}), Retryable),
        (Answer(200, {"data": [WELL]}), Retryable),
        (Answer(200, {"data": {"r0": WELL}, "errors": [None]}), Retryable),
        (Answer(200, {"message": "Bad"}), Retryable),
        (Answer(0), Retryable),
        (Answer(502, "<html>502 Bad Gateway</html>"), Retryable),
        (Answer(200, {"data": None, "errors": [{"message": "Something went wrong"}]}), Retryable),
        (
            Answer(200, {"errors": [{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": "Too many"}]}),
            Retryable,
        ),
        (Answer(200, {"errors": [{"type": "FORBIDDEN", "message": "Not yours"}]}), UserError),
        (Answer(404, {"message": "Not Found"}), UserError),
        (Answer(403, {"message": "Resource not accessible by integration"}), UserError),
    ],
)
def test_an_answer_without_data_is_a_failure_with_a_sentence(
    server: RestServer, forge: GitHubForge, answer: Answer, kind: type[Exception]
) -> None:
    server.answer(GRAPHQL, answer)
    with pytest.raises(kind) as failure:
        forge.tips(INSTALLATION, (DOCS,))
    assert not isinstance(failure.value, Limited)
    assert str(failure.value)


def of_hub(stage: HubStage, name: str, *branches: str) -> WatchedBranches:
    id_ = RepositoryId(stage.hub.repository(name).id)
    return WatchedBranches(repository=id_, full_name=name, branches=branches)


def test_localhub_returns_tips_of_readable_repositories(stage: HubStage) -> None:
    hub = stage.hub
    hub.add_repository("octo", "hidden", Visibility.PRIVATE)
    hub.commit_files("octo/hidden", {"a": b"a\n"}, "Begin")
    here = of_hub(stage, "octo/shop", "main", "release/1")
    hidden = of_hub(stage, "octo/hidden", "main")

    tips = stage.forge.tips(stage.installation, (hidden, here))

    assert tips.of == {here.repository: {"main": stage.head()}}
    assert "Could not resolve" in tips.complaint


def test_localhub_returns_tips_under_a_former_repository_name(stage: HubStage) -> None:
    before = of_hub(stage, "octo/shop", "main")
    repository = stage.hub.repository("octo/shop")
    stage.hub.lives.rename(repository, stage.hub.as_user("octo"), "store")
    assert list(stage.forge.tips(stage.installation, (before,)).of) == [before.repository]
