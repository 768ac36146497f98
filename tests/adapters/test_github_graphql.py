"""Moving main by GraphQL: done, refused, unavailable, and failed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.adapters.github.forge import GitHubForge
from bot.core.values.candidate import PushOutcome, PushResult
from bot.core.values.ids import PullNumber, Sha
from bot.ports import Limited, Retryable, UserError
from tests.adapters.rest_server import Answer, RestServer, rest_server
from tests.adapters.workshop import facts_of

FACTS = facts_of("http://127.0.0.1/octo/shop.git")
BASE, CANDIDATE = Sha("a" * 40), Sha("b" * 40)
KNOWN = Answer(
    200,
    {
        **{"id": 7, "node_id": "R_7", "full_name": "octo/shop", "default_branch": "main"},
        **{"clone_url": FACTS.clone_url, "html_url": FACTS.html_url},
    },
)
DONE = Answer(200, {"data": {"updateRefs": {"clientMutationId": None}}})


@pytest.fixture(scope="module")
def key() -> str:
    """An App's private key."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.fixture
def server() -> Iterator[RestServer]:
    """A server that creates tokens, knows the repository and has nothing else."""
    with rest_server() as running:
        until = datetime.now(UTC) + timedelta(hours=1)
        token = Answer(201, {"token": "ghs_one", "expires_at": until.isoformat()})
        running.answer("POST /app/installations/1/access_tokens", token)
        running.answer("POST /api/v3/app/installations/1/access_tokens", token)
        running.answer("GET /repositories/7", KNOWN)
        running.answer("GET /api/v3/repositories/7", KNOWN)
        yield running


def complaint(**error: object) -> Answer:
    return Answer(200, {"data": {"updateRefs": None}, "errors": [error]})


def test_main_moves_only_from_the_base_and_the_node_id_is_read_once(
    server: RestServer, key: str
) -> None:
    forge = GitHubForge(server.url, 5, key)
    server.answer("POST /graphql", DONE)

    for _ in range(2):
        moved = forge.move_main(FACTS, BASE, CANDIDATE)
        assert moved == PushResult(outcome=PushOutcome.DONE)

    first, second = server.requests_to("POST /graphql")
    assert len(server.requests_to("GET /repositories/7")) == 1
    assert first.body == second.body
    assert first.body["variables"] == {
        "wish": {
            "repositoryId": "R_7",
            "refUpdates": [{"name": "refs/heads/main", "beforeOid": BASE, "afterOid": CANDIDATE}],
        }
    }


def test_graphql_of_an_enterprise_server_is_beside_its_rest_api(
    server: RestServer, key: str
) -> None:
    forge = GitHubForge(f"{server.url}/api/v3", 5, key)
    server.answer("POST /api/graphql", DONE)

    assert forge.move_main(FACTS, BASE, CANDIDATE) == PushResult(outcome=PushOutcome.DONE)


@pytest.mark.parametrize(
    "answer",
    [
        complaint(type="FORBIDDEN", message="Resource not accessible by integration"),
        complaint(message="x", extensions={"code": "undefinedField"}),
        Answer(404, {"message": "Not Found"}),
        Answer(403, {"message": "Resource not accessible by integration"}),
    ],
)
def test_unavailable_graphql_is_not_a_refusal(server: RestServer, key: str, answer: Answer) -> None:
    forge = GitHubForge(server.url, 5, key)
    server.answer("POST /graphql", answer)

    assert forge.move_main(FACTS, BASE, CANDIDATE) is None


def test_graphql_is_unavailable_for_a_missing_repository(server: RestServer, key: str) -> None:
    forge = GitHubForge(server.url, 5, key)
    server.answer("GET /repositories/7", Answer(404, {"message": "Not Found"}))

    assert forge.move_main(FACTS, BASE, CANDIDATE) is None


def test_a_graphql_refusal_quotes_githubs_message(server: RestServer, key: str) -> None:
    forge = GitHubForge(server.url, 5, key)
    server.answer("POST /graphql", complaint(type="UNPROCESSABLE", message="No pushes here"))

    moved = forge.move_main(FACTS, BASE, CANDIDATE)

    assert moved == PushResult(outcome=PushOutcome.REFUSED, sentence="No pushes here")


def test_a_rate_limit_inside_a_200_response_is_a_limit(server: RestServer, key: str) -> None:
    forge = GitHubForge(server.url, 5, key)
    server.answer("POST /graphql", complaint(type="RATE_LIMITED", message="Slow down"))

    with pytest.raises(Limited) as limited:
        forge.move_main(FACTS, BASE, CANDIDATE)
    assert limited.value.after == timedelta(seconds=60)


@pytest.mark.parametrize(
    "answer", [complaint(message="Something went wrong while executing your query."), Answer(502)]
)
def test_a_graphql_server_error_is_retryable(server: RestServer, key: str, answer: Answer) -> None:
    forge = GitHubForge(server.url, 5, key)
    server.answer("POST /graphql", answer)

    with pytest.raises(Retryable):
        forge.move_main(FACTS, BASE, CANDIDATE)


def threads(*, has_more: bool, **more: object) -> Answer:
    page = {"pageInfo": {"hasNextPage": has_more, "endCursor": None}, "nodes": []}
    data = {"repository": {"pullRequest": {"reviewThreads": page}}}
    return Answer(200, {"data": data, **more})


PARTLY = [{"type": "RESOURCE_LIMITS_EXCEEDED", "message": "Some parts are missing"}]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, {"data": {"repository": None}}),
        Answer(200, {"data": {"repository": {"pullRequest": None}}}),
        threads(has_more=False, errors=PARTLY),
        threads(has_more=True),
    ],
    ids=["no repository", "no pull", "a part", "no next page"],
)
def test_hidden_review_threads_are_an_error_not_an_empty_list(
    server: RestServer, key: str, answer: Answer
) -> None:
    server.answer("POST /graphql", answer, threads(has_more=False))

    with pytest.raises(UserError, match="Review threads cannot be read"):
        GitHubForge(server.url, 5, key).review_threads(FACTS, PullNumber(3))
