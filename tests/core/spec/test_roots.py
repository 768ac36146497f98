"""Where specs are, and their names."""

import re

import pytest
from hypothesis import given, strategies as st

from bot.core.spec.policy_file import WATCHED
from bot.core.spec.roots import KEY_MAX, files_by_root, key_of, spec_roots


def test_a_folder_is_one_spec_and_archived_results_are_not_work() -> None:
    paths = [
        "openspec/changes/add-x/specs/a/spec.md",
        "openspec/changes/add-x/proposal.md",
        "openspec/changes/archive/2026-01-01-old/specs/a/spec.md",
        "openspec/specs/a/spec.md",
        "openspec/AGENTS.md",
        "specs/001-login/spec.md",
        "specs/001-login/tasks.md",
        "specs/payments.md",
        "specs/README.md",
        ".kiro/specs/export/requirements.md",
        "docs/other.md",
        "src/main.py",
    ]
    assert spec_roots(paths, WATCHED) == (
        ".kiro/specs/export",
        "openspec/changes/add-x",
        "specs/001-login",
        "specs/payments.md",
    )


def test_bmad_planning_files_are_one_spec_without_neighbouring_documents() -> None:
    folder = "app/_bmad-output/planning-artifacts"
    beside = [
        "product-brief-app.md",
        "architecture.md",
        "ux-design-specification.md",
        "research/market-research.md",
        "implementation-readiness-report.md",
        "sprint-change-proposal-2.md",
    ]
    for planned in ("epics.md", "epics/epic-1.md", "prd.md", "PRD.md", "prd/features.md"):
        paths = [f"{folder}/{name}" for name in (planned, *beside)]
        assert spec_roots(paths, ("app/",)) == (folder,)
    assert spec_roots([f"{folder}/{name}" for name in beside], ("app/",)) == ()


def test_documents_beside_a_bmad_spec_do_not_belong_to_it() -> None:
    folder = "_bmad-output/planning-artifacts"
    paths = [f"{folder}/{name}" for name in ("epics.md", "prd.md", "architecture.md")]
    assert files_by_root([*paths, "docs/a.md"], ("_bmad-output/", "docs/")) == {
        folder: paths[:2],
        "docs/a.md": ["docs/a.md"],
    }


def test_all_of_a_folder_with_a_form_is_its_spec() -> None:
    paths = [".kiro/specs/x/requirements.md", ".kiro/specs/x/design.md", ".kiro/specs/x/tasks.md"]
    assert files_by_root(paths, WATCHED) == {".kiro/specs/x": paths}


def test_a_page_that_bmad_does_not_know_is_a_spec_of_its_own() -> None:
    path = "_bmad-output/planning-artifacts/admin-area.md"
    assert spec_roots([path], ("_bmad-output/",)) == (path,)
    # Elsewhere such names say nothing.
    assert spec_roots(["docs/architecture-of-tours.md"], ("docs/",)) == (
        "docs/architecture-of-tours.md",
    )


@pytest.mark.parametrize(
    ("watched", "found"),
    [
        ((), ()),
        (("docs",), ("docs/a/b.md", "docs/c.feature")),
        (("docs/",), ("docs/a/b.md", "docs/c.feature")),
        (("docs/*.feature",), ("docs/c.feature",)),
        (("**/b.md",), ("docs/a/b.md",)),
        (("docs/a/b.md",), ("docs/a/b.md",)),
    ],
)
def test_only_watched_folders_count(watched: tuple[str, ...], found: tuple[str, ...]) -> None:
    assert spec_roots(["docs/a/b.md", "docs/c.feature", "documents/d.md"], watched) == found


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("openspec/changes/add-x", "add-x"),
        ("specs/001-login", "001-login"),
        ("specs/001-login/spec.md", "001-login"),
        (".kiro/specs/export", "kiro.export"),
        ("craftbrew/cart.md", "craftbrew.cart"),
        ("openspec/specs/auth/spec.md", "openspec.auth"),
    ],
)
def test_a_key_is_short_and_readable(path: str, key: str) -> None:
    assert key_of(path) == key


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4))
def test_every_key_can_stand_in_a_branch_name(parts: list[str]) -> None:
    key = key_of("/".join(parts) + ".md")
    assert re.fullmatch(r"[a-z0-9_][a-z0-9._-]*", key)
    assert ".." not in key
    assert not key.endswith((".", ".lock"))


@pytest.mark.parametrize("letter", ["a", "ä", "a/", "a."])
def test_the_key_of_a_long_path_fits_into_a_branch_name(letter: str) -> None:
    keys = {key_of(f"docs/{letter * 100}{tail}.md") for tail in (letter * 300, f"{letter * 299}b")}
    assert len(keys) == 2
    assert max(map(len, keys)) <= KEY_MAX
    assert not any(key.endswith((".", "-")) or ".." in key for key in keys)


def test_paths_that_lose_letters_keep_their_own_keys() -> None:
    assert key_of("docs/größe.md") != key_of("docs/große.md")


# A new spelling would take a spec that a team has away from its ids, plan and issues.
@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("specs/größe.md", "specs.groe-lmhuwm"),
        ("specs/søknad/spec.md", "specs.sknad-fbxpgi"),
        ("docs/ışık.md", "docs.sk-7rqsdf"),
        ("specs/łódź.md", "specs.lodz-6k32vl"),
    ],
)
def test_a_spec_has_the_key_that_it_had_in_earlier_releases(path: str, key: str) -> None:
    assert key_of(path) == key
