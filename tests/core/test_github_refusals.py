"""Refusals of GitHub are classified, and people get the next step."""

import pytest

from bot.core.talk.refusal_text import refusal_in_short, refusal_text
from bot.core.values.github_refusal import RefusalKind, read_refusal

K = RefusalKind
SECRET = (
    "push declined due to repository rule violations; error: GH013: Repository rule violations found "
    "for refs/headgate/heads/o1.; - GITHUB PUSH PROTECTION; Resolve the following violations before "
    "pushing again; - Push cannot contain secrets; (?) Learn how to resolve a blocked push; "
    "—— GitHub Personal Access Token ——; locations:; - commit: 0a1b2c; path: tests/fixture file.txt:3; "
    "- commit: 0a1b2c; path: tests/other.txt:12; (?) To push, remove secret from commit(s) or follow "
    "this URL to allow the secret.; "
    "https://github.com/octo/shop/security/secret-scanning/unblock-secret/2Kab_c-9"
)
LARGE = (
    "pre-receive hook declined; error: GH001: Large files detected. You may want to try Git Large "
    "File Storage - https://git-lfs.github.com.; error: File assets/demo video.mp4 is 123.45 MB; this "
    "exceeds GitHub's file size limit of 100.00 MB"
)
WORKFLOW = (
    "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without "
    "`workflows` permission"
)
SENTENCES = [
    (WORKFLOW, K.WORKFLOWS),
    (SECRET, K.PUSH_PROTECTION),
    ("Repository rule violations found\n\nSecret detected in content", K.PUSH_PROTECTION),
    (LARGE, K.LARGE_FILE),
    ("GH013: Repository rule violations found; - Commits must have verified signatures.", K.RULE),
    ("GH006: Protected branch update failed for refs/heads/main.", K.RULE),
    ("protected branch hook declined", K.RULE),
    ("Changes must be made through a pull request.", K.RULE),
    ("Changes must be made through the merge queue", K.RULE),
    ('Required status check "ci" is expected.', K.RULE),
    ("Cannot update this protected ref.", K.RULE),
    ("cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create 'b'", K.IN_THE_WAY),
    ("remote rejected (directory file conflict)", K.IN_THE_WAY),
    ("GH005: Sorry, refs longer than 255 bytes are not allowed.", K.OTHER),
    ("stale info", K.STALE),
    ("cannot lock ref 'refs/heads/x': is at 1234567 but expected 7654321", K.STALE),
    ("The git server says: Permission to o/r.git denied to headgate[bot].", K.ACCESS),
    ("remote: This repository was archived so it is read-only.", K.ACCESS),
    ("The requested URL returned error: 403", K.ACCESS),
    ("Resource not accessible by integration", K.ACCESS),
    ("something new", K.OTHER),
]


@pytest.mark.parametrize(("words", "kind"), SENTENCES)
def test_refusals_of_github_are_classified_by_their_text(words: str, kind: RefusalKind) -> None:
    assert read_refusal(words).kind is kind


def test_the_places_of_secrets_and_the_page_that_allows_them_are_read() -> None:
    refusal = read_refusal(SECRET)
    assert refusal.paths == ("tests/fixture file.txt:3", "tests/other.txt:12")
    assert refusal.files == ("tests/fixture file.txt", "tests/other.txt")
    assert refusal.link.endswith("/unblock-secret/2Kab_c-9")


def test_large_files_and_workflows_are_named() -> None:
    assert read_refusal(LARGE).paths == ("assets/demo video.mp4",)
    assert read_refusal(WORKFLOW).paths == (".github/workflows/ci.yml",)


@pytest.mark.parametrize(("words", "kind"), SENTENCES)
def test_every_kind_of_refusal_has_a_next_step_and_a_quotation(
    words: str, kind: RefusalKind
) -> None:
    said = refusal_text(read_refusal(words))
    assert said.count(". ") >= 2, kind
    assert "GitHub says: " in said


def test_a_refused_secret_is_shown_with_its_place_and_the_page_to_allow_it() -> None:
    said = refusal_in_short(read_refusal(SECRET))
    assert "`tests/fixture file.txt:3`" in said
    assert "https://github.com/octo/shop/security/secret-scanning/unblock-secret/2Kab_c-9" in said
    assert "`/headgate retry`" in said
