"""Commits that GitHub signs, and a branch that requires signatures."""

import httpx
import pytest

from bot.localhub.rule_model import RefRule, Ruleset
from tests.localhub.kit import Box, GitError

REPO = "/api/v3/repos/octo/demo"
WORDS = "Commits must have verified signatures"
SOMEBODY = {"name": "Mona", "email": "mona@example.org"}


def ask(box: Box, token: str, verb: str, path: str, body: object = None) -> httpx.Response:
    with box.rest(token) as client:
        return client.request(verb, f"{REPO}{path}", json=body)


def commit(box: Box, token: str, **more: object) -> dict[str, object]:
    main = box.hub.repository("octo/demo").refs["refs/heads/main"]
    tree = ask(box, token, "GET", f"/git/commits/{main}").json()["tree"]["sha"]
    wanted = {"message": "A commit", "tree": tree, "parents": [main], **more}
    answer = ask(box, token, "POST", "/git/commits", wanted)
    assert answer.status_code == 201, answer.text
    made: dict[str, object] = answer.json()
    return made


def requires_signatures(box: Box) -> None:
    rules = frozenset({RefRule.REQUIRED_SIGNATURES})
    box.hub.add_ruleset("octo/demo", Ruleset(1, "Signed", ("~DEFAULT_BRANCH",), rules))


def why(made: dict[str, object]) -> object:
    verification = made["verification"]
    assert isinstance(verification, dict)
    return verification["verified"], verification["reason"]


def test_an_apps_own_commit_is_signed_by_github(box: Box) -> None:
    made = commit(box, box.installation_token())
    assert why(made) == (True, "valid")
    assert made["committer"]["email"] == "noreply@github.com"  # type: ignore[index]
    read = ask(box, box.user_token, "GET", f"/commits/{made['sha']}").json()["commit"]
    assert read["verification"] == made["verification"]
    assert f"tree {made['tree']['sha']}" in read["verification"]["payload"]  # type: ignore[index]
    assert "gpgsig" not in read["verification"]["payload"]
    assert read["verification"]["signature"].startswith("-----BEGIN PGP SIGNATURE-----\n")


@pytest.mark.parametrize("more", [{"author": SOMEBODY}, {"committer": SOMEBODY}])
def test_a_commit_with_an_explicit_author_is_not_signed(box: Box, more: dict[str, object]) -> None:
    assert why(commit(box, box.installation_token(), **more)) == (False, "unsigned")


def test_a_persons_commit_by_the_api_is_not_signed(box: Box) -> None:
    assert why(commit(box, box.user_token)) == (False, "unsigned")


def test_a_signature_of_another_commit_is_invalid(box: Box) -> None:
    git = box.hub.repository("octo/demo").git
    signed = str(commit(box, box.installation_token())["sha"])
    other = git.run(["cat-file", "commit", signed]).replace(b"A commit", b"Another")
    forged = git.run(["hash-object", "-w", "-t", "commit", "--stdin"], other).decode().strip()
    requires_signatures(box)
    read = ask(box, box.user_token, "GET", f"/git/commits/{forged}").json()
    assert why(read) == (False, "unknown_key")
    moved = ask(box, box.user_token, "PATCH", "/git/refs/heads/main", {"sha": forged})
    assert moved.status_code == 422


def test_main_moves_only_to_signed_commits(box: Box) -> None:
    requires_signatures(box)
    token = box.installation_token()
    unsigned = commit(box, token, author=SOMEBODY)["sha"]
    refused = ask(box, token, "PATCH", "/git/refs/heads/main", {"sha": unsigned})
    assert (refused.status_code, WORDS in refused.text) == (422, True)
    on_it = commit(box, token, parents=[unsigned])["sha"]
    refused = ask(box, token, "PATCH", "/git/refs/heads/main", {"sha": on_it})
    assert (refused.status_code, WORDS in refused.text) == (422, True)
    signed = commit(box, token)["sha"]
    assert ask(box, token, "PATCH", "/git/refs/heads/main", {"sha": signed}).status_code == 200


def test_a_merge_by_github_is_signed_and_requires_signed_commits(box: Box) -> None:
    clone = box.clone()
    clone.git("switch", "--create", "topic")
    clone.commit("a.txt", "a\n")
    clone.git("push", "origin", "topic")
    requires_signatures(box)
    pull = {"title": "A", "head": "topic", "base": "main"}
    number = ask(box, box.user_token, "POST", "/pulls", pull).json()["number"]

    merged = ask(box, box.user_token, "PUT", f"/pulls/{number}/merge", {"merge_method": "merge"})
    assert (merged.status_code, WORDS in merged.text) == (405, True)

    squashed = ask(box, box.user_token, "PUT", f"/pulls/{number}/merge", {"merge_method": "squash"})
    assert squashed.status_code == 200, squashed.text
    made = ask(box, box.user_token, "GET", f"/git/commits/{squashed.json()['sha']}").json()
    assert why(made) == (True, "valid")


def test_a_push_of_unsigned_commits_is_refused(box: Box) -> None:
    requires_signatures(box)
    clone = box.clone()
    clone.commit("a.txt", "a\n")
    with pytest.raises(GitError, match=WORDS):
        clone.git("push", "origin", "main")
