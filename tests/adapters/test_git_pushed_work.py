"""What a person pushed to a change's branch, read by real git; and the lease that keeps it."""

from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import PushedWork, PushOutcome, PushRefusal, PushRules, RefUpdate
from bot.core.values.ids import Ref, Sha
from bot.core.values.repository import RepositoryFacts
from tests.adapters.workshop import Workshop, facts_of, git, recipe_of

BRANCH = Ref("refs/heads/headgate/shop-1/cart")
PROTECTED = ("/specs", "/openspec")
SPEC = "openspec/specs/cart/spec.md"
TASKS = "openspec/changes/archive/2026-01-01-cart/headgate/cart/tasks.md"
OWN = "openspec/changes/cart/headgate/cart/tasks.md"
ADA = "Ada <ada@example.org>"


@pytest.fixture
def mirror(tmp_path: Path) -> MirrorGit:
    return MirrorGit(tmp_path / "mirrors", lambda _: "", ("file",))


@pytest.fixture
def facts(shop: Workshop) -> RepositoryFacts:
    return facts_of(shop.file_url)


@pytest.fixture
def candidate(shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts) -> Sha:
    """A candidate on main: an agent's file and its tasks, and a spec that only Headgate writes."""
    main = shop.head()
    mirror.fetch(facts)
    files = {"src/agent.py": b"1\n", SPEC: b"# cart\n", TASKS: b"- [ ] Cart\n"}
    tree = mirror.edit_tree(facts, main, files)
    made = mirror.commit(facts, recipe_of(tree, main))
    mirror.push(facts, (RefUpdate(ref=BRANCH, old=None, new=made),))
    git(shop.tree, "fetch", "--quiet", "origin", BRANCH)
    git(shop.tree, "checkout", "--quiet", made)
    return made


def read(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> PushedWork | PushRefusal:
    """Push what is checked out to the branch, and read it."""
    shop.publish(f"HEAD:{BRANCH}")
    mirror.fetch(facts)
    main = mirror.remote_ref(facts, Ref("refs/heads/main"))
    assert main is not None
    rules = PushRules(
        main=main, candidates=(candidate,), protected=PROTECTED, artefacts={TASKS: OWN}
    )
    return mirror.pushed_work(facts, shop.head(), rules)


def test_pushed_work_contains_the_persons_and_the_agents_files_but_not_headgates(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    shop.commit("By hand", {"src/hand.py": "2\n"})
    work = read(shop, mirror, facts, candidate)
    assert isinstance(work, PushedWork)
    assert work.paths == ("src/agent.py", "src/hand.py")
    assert work.authors == (ADA,)
    assert work.is_own


def test_a_merge_of_main_does_not_count_as_a_persons_work(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    git(shop.tree, "checkout", "--quiet", "main")
    shop.commit("Others", {"others.txt": "x\n", "specs/other.md": "y\n"})
    shop.publish()
    git(shop.tree, "checkout", "--quiet", candidate)
    git(shop.tree, "merge", "--quiet", "-m", "Merge main", "main")
    work = read(shop, mirror, facts, candidate)
    assert isinstance(work, PushedWork)
    assert not work.is_own
    assert work.paths == ("src/agent.py",)


@pytest.mark.parametrize("path", ["specs/shop.md", SPEC])
def test_protected_paths_stay_protected_even_if_headgate_wrote_them(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha, path: str
) -> None:
    shop.commit("Sneak", {path: "mine\n", "src/hand.py": "2\n"})
    refused = read(shop, mirror, facts, candidate)
    assert isinstance(refused, PushRefusal)
    assert refused.author == ADA
    assert path in refused.sentence


def test_tasks_of_a_change_are_moved_back_for_the_next_agent(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    shop.commit("Tick", {TASKS: "- [x] Cart\n"})
    work = read(shop, mirror, facts, candidate)
    assert isinstance(work, PushedWork)
    assert work.is_own
    own = mirror.files(facts, work.tree, ("openspec",))
    assert own == {OWN: b"- [x] Cart\n"}


def test_a_link_in_the_place_of_a_changes_tasks_is_refused(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    (shop.tree / TASKS).unlink()
    (shop.tree / TASKS).symlink_to("/etc/passwd")
    shop.commit("Link", {"src/hand.py": "2\n"})
    refused = read(shop, mirror, facts, candidate)
    assert isinstance(refused, PushRefusal)
    assert TASKS in refused.sentence


def test_work_of_a_person_based_on_main_replaces_the_agents(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    git(shop.tree, "checkout", "--quiet", "main")
    shop.commit("All anew", {"src/anew.py": "3\n"})
    work = read(shop, mirror, facts, candidate)
    assert isinstance(work, PushedWork)
    assert work.paths == ("src/anew.py",)


def test_a_branch_reset_to_main_has_no_work(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    git(shop.tree, "checkout", "--quiet", "main")
    assert isinstance(read(shop, mirror, facts, candidate), PushRefusal)


def test_a_push_from_stale_state_never_replaces_a_persons_push(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, candidate: Sha
) -> None:
    theirs = shop.commit("By hand", {"src/hand.py": "2\n"})
    shop.publish(f"HEAD:{BRANCH}")
    tree = mirror.edit_tree(facts, candidate, {"src/agent.py": b"2\n"})
    main = mirror.remote_ref(facts, Ref("refs/heads/main"))
    assert main is not None
    newer = mirror.commit(facts, recipe_of(tree, main))
    own = Ref("refs/headgate/candidates/cart/2")
    moves = (
        RefUpdate(ref=own, old=None, new=newer),
        RefUpdate(ref=BRANCH, old=candidate, new=newer),
    )
    assert mirror.push(facts, moves).outcome is PushOutcome.STALE
    assert mirror.remote_ref(facts, BRANCH) == theirs
    assert mirror.remote_ref(facts, own) is None


def test_the_author_is_kept_and_headgate_commits(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    mirror.fetch(facts)
    main = shop.head()
    recipe = recipe_of(mirror.tree_of(facts, main), main).model_copy(
        update={
            "author_name": "Ada",
            "author_email": "ada@example.org",
            "committer_name": "headgate[bot]",
            "committer_email": "bot@example.org",
        }
    )
    made = mirror.commit(facts, recipe)
    mirror.push(facts, (RefUpdate(ref=BRANCH, old=None, new=made),))
    said = git(shop.origin, "log", "-1", "--format=%an <%ae>, %cn <%ce>", made)
    assert said == f"{ADA}, headgate[bot] <bot@example.org>"
