"""The demo's material works: every scene implements its change, in any order."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from anthropic import Anthropic

from bot.demo.material import story
from bot.demo.material.files import script_text, seed_files, spec_files
from bot.demo.material.story import Edit, EditRefusedError, Push, contents_after
from bot.localhub.model_server.script import parse_script
from bot.localhub.model_server.server import running
from tests.localhub_model.demo_kit import (
    Repository,
    planned,
    play,
    prompt,
    requirements,
    seeded,
    spec,
)

# The waits are for spectators of the demo.
WITHOUT_WAITS = re.sub(r"after_seconds: [\d.]+", "after_seconds: 0", script_text())


@pytest.fixture(scope="module")
def after_contract(client: Anthropic, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository after the change that all others need has landed; to be copied."""
    repository = seeded(tmp_path_factory.mktemp("seeded") / "tidepool")
    land(client, repository, story.CONTRACT)
    return repository.folder


@pytest.fixture
def repository(after_contract: Path, tmp_path: Path) -> Repository:
    return Repository(shutil.copytree(after_contract, tmp_path / "tidepool"))


@pytest.fixture(scope="module")
def client() -> Iterator[Anthropic]:
    with (
        running(parse_script(WITHOUT_WAITS)) as base_url,
        Anthropic(api_key="any", base_url=base_url, max_retries=0) as model,
    ):
        yield model


def land(client: Anthropic, repository: Repository, slug: str) -> None:
    """Play a change on the current tree, red first attempt included, and commit it."""
    attempts = 2 if slug == story.WRONG_FIRST else 1
    for attempt in range(1, attempts + 1):
        assert play(client, repository, prompt(slug, attempt)).endswith("DONE")
        outcome = repository.run_tests()
        assert outcome.passed == (attempt == attempts), f"{slug} {attempt}: {outcome.output}"
        repository.commit(f"{slug}, attempt {attempt}")


def test_the_material_is_complete() -> None:
    seed = {each.path for each in seed_files()}
    assert {".github/headgate.yml", ".gitignore", "pyproject.toml", "openspec/config.yaml"} <= seed
    assert not any("__pycache__" in path for path in seed)
    spec = {each.path for each in spec_files()}
    assert {f"{story.DELTA_FOLDER}/proposal.md", f"{story.DELTA_FOLDER}/tasks.md"} <= spec
    assert not seed & spec


def test_the_plan_is_the_expected_one() -> None:
    assert set(planned()) == set(story.CHANGES)
    assert len(spec().requirements) >= 10
    assert all(1 <= len(change.requirements) <= 6 for change in planned().values())
    after = {slug: {d.on for d in change.depends_on} for slug, change in planned().items()}
    assert after["reminders"] == {"loans", "waitlist"}
    assert after["loans"] == after["waitlist"] == {story.CONTRACT}


@pytest.mark.slow
def test_every_change_is_implemented_in_another_order_than_the_demos(
    client: Anthropic, repository: Repository
) -> None:
    # The demo's own order is played by `make demo`, in CI before the tests.
    for slug in ("export", "waitlist", "loans", "statistics", "reminders", "catalogue"):
        land(client, repository, slug)
    tests = "\n".join(path.read_text() for path in (repository.folder / "tests").glob("test_*.py"))
    for slug in story.CHANGES:
        for requirement in requirements(slug):
            assert f'"""{requirement.id}: ' in tests


def test_the_wrong_attempt_fails_an_existing_test(
    client: Anthropic, repository: Repository
) -> None:
    play(client, repository, prompt("loans", 1))
    outcome = repository.run_tests()
    assert "test_a_command_refuses_a_code_that_nobody_knows[lend]" in outcome.output
    assert "test_loans.py" not in outcome.output


@pytest.mark.slow
def test_a_second_attempt_may_begin_from_a_clean_tree(
    client: Anthropic, repository: Repository
) -> None:
    play(client, repository, prompt("loans", 2))
    assert repository.run_tests().passed
    first = repository.commit("loans")
    play(client, repository, prompt("loans", 3))
    assert repository.git("status", "--porcelain") == ""
    assert repository.git("rev-parse", "HEAD") == first


@pytest.mark.slow
def test_parallel_changes_merge_after_main_moved(client: Anthropic, repository: Repository) -> None:
    parallel = ("waitlist", "export", "loans", "catalogue")
    for domain in parallel:
        repository.git("checkout", "--quiet", "-b", domain, "main")
        land(client, repository, domain)
    repository.git("checkout", "--quiet", "main")
    repository.push(story.PERSON_PUSH)
    for domain in parallel:
        repository.git("merge", "--quiet", "--no-edit", domain)
        assert repository.run_tests().passed
    for domain in ("reminders", "statistics"):
        repository.git("checkout", "--quiet", "-b", domain, "main")
        land(client, repository, domain)
    repository.git("checkout", "--quiet", "main")
    for domain in ("statistics", "reminders"):
        repository.git("merge", "--quiet", "--no-edit", domain)
    assert repository.run_tests().passed


@pytest.mark.slow
def test_a_real_conflict_happens_and_the_next_attempt_resolves_it(
    client: Anthropic, repository: Repository
) -> None:
    repository.git("checkout", "--quiet", "-b", "loans")
    land(client, repository, "loans")
    repository.git("checkout", "--quiet", "main")
    repository.push(story.CONFLICTING_PUSH)
    assert repository.try_git("merge", "--no-edit", "loans").returncode != 0
    assert "UU src/tidepool/commands/__init__.py" in repository.git("status", "--porcelain")
    play(client, repository, prompt("loans", 3))
    assert repository.run_tests().passed
    table = (repository.folder / "src/tidepool/commands/__init__.py").read_text()
    assert all(f'"{name}": ' in table for name in ("look", "lend", "return"))


def test_requirement_ids_are_used_as_the_prompt_spells_them(
    client: Anthropic, repository: Repository
) -> None:
    task = prompt("export", 1).replace("EXP-01:", "EXP-77:").replace("EXP-02:", "minted-7:")
    play(client, repository, task)
    written = (repository.folder / "tests/test_export.py").read_text()
    assert "#EXP-77: " in written
    assert "minted-7: " in written


def test_an_edit_of_a_push_must_match_exactly_once() -> None:
    push = Push("Marta", "m", (Edit("a.txt", "two", "three"),))
    assert contents_after(push, {"a.txt": "one two", "b.txt": ""}) == {"a.txt": "one three"}
    with pytest.raises(EditRefusedError, match="exactly once"):
        contents_after(push, {"a.txt": "two two"})
