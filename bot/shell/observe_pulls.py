"""Looks at open pulls that touch specs: each spec on main, at the pull's head, and merged.

A pull's commits may be a stranger's: they are fetched as objects by the ref that GitHub keeps for
the pull, read as texts, and never run. Where git cannot answer for one pull, the others go on.
"""

from collections.abc import Iterable, Mapping

from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.journal.state import RepositoryState
from bot.core.spec.archive.delta import Refused, fold
from bot.core.spec.archive.main_rules import Refusal
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.read import read_spec
from bot.core.spec.roots import paths_under, root_of
from bot.core.state.observed import Looks
from bot.core.values.candidate import MergeConflict
from bot.core.values.ids import PullNumber, RepositoryId, Sha
from bot.core.values.repository import Pull, PullState, RepositoryFacts
from bot.core.values.spec_model import Spec
from bot.ports import UserError
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent

_MAIN_SPECS = "openspec/specs/"
_DELTAS = "openspec/changes/"
# A pull that touches more specs than a person would read at once is told of the first ones.
_SPECS_MAX = 30
# What is dropped is read again from the mirror. A snapshot may hold 30 specs three times.
_SNAPSHOTS_KEPT = 300
_TEXTS_KEPT = 200
_PULLS_KEPT = 4_000

_PullKey = tuple[RepositoryId, PullNumber]


class PullObserver:
    """Looks for one process; keeps what cannot change, a head merged on a main."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._texts: Recent[tuple[str, str], Spec] = Recent(_TEXTS_KEPT)
        self._snapshots: Recent[_PullKey, tuple[tuple[Sha, Sha], PullSnapshot]] = Recent(
            _SNAPSHOTS_KEPT
        )
        self._without_specs: Recent[_PullKey, tuple[Sha, tuple[str, ...]]] = Recent(_PULLS_KEPT)

    def look(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        looks: Looks,
        at: tuple[Sha, tuple[str, ...]],
    ) -> dict[PullNumber, PullSnapshot | None]:
        """The pulls that are asked about, and all open ones where all are; `at`: main, watched."""
        forge = self._ports.forge
        pulls: dict[PullNumber, Pull | None] = {}
        if looks.all_pulls:
            pulls = dict.fromkeys(state.pull_digests)
            pulls |= {pull.number: pull for pull in forge.open_pulls(facts)}
        else:
            pulls = {number: forge.pull(facts, number) for number in looks.spec_pulls}
        own = {c.pull for c in state.changes.values() if c.pull is not None}
        return {
            number: self._snapshot(facts, pull, at)
            for number, pull in pulls.items()
            if number not in own
        }

    def _snapshot(
        self, facts: RepositoryFacts, pull: Pull | None, at: tuple[Sha, tuple[str, ...]]
    ) -> PullSnapshot | None:
        is_ours_to_tell = pull is not None and pull.base_branch == facts.default_branch
        if pull is None or not is_ours_to_tell or pull.state is not PullState.OPEN:
            return None
        main, watched = at
        key = (facts.id, pull.number)
        seen = self._snapshots.get(key)
        if seen is not None and seen[0] == (pull.head_sha, main):
            return seen[1]
        if self._without_specs.get(key) == (pull.head_sha, watched):
            # What a head does not touch, it does not touch on any main.
            return None
        git = self._ports.git
        try:
            if not git.has(facts, pull.head_sha):
                git.fetch_pull(facts, pull.number)
            snapshot = self._read(facts, pull, main, watched)
        except UserError:
            # No common history, or a head that GitHub does not hand out (yet): nothing to tell.
            return None
        if snapshot is None:
            self._without_specs.put(key, (pull.head_sha, watched))
            return None
        self._snapshots.put(key, ((pull.head_sha, main), snapshot))
        return snapshot

    def _read(
        self, facts: RepositoryFacts, pull: Pull, main: Sha, watched: tuple[str, ...]
    ) -> PullSnapshot | None:
        git = self._ports.git
        merged = git.merge(facts, main, pull.head_sha)
        tree = pull.head_sha if isinstance(merged, MergeConflict) else merged.tree
        touched = paths_under(git.changed_paths(facts, main, tree), watched)
        roots = sorted({r for p in touched if (r := root_of(p))})[:_SPECS_MAX]
        results = [p for p in touched if p.startswith(_MAIN_SPECS) and p.endswith(".md")]
        if not roots and not results:
            return None
        archived = [r for r in roots if r.startswith(_DELTAS) and _moved(r, touched)]
        trees = (main, pull.head_sha, tree)
        specs = [
            *(self._proposed(facts, root, trees) for root in roots),
            *(self._result(facts, path, trees) for path in results[:_SPECS_MAX]),
        ]
        on_main = (self._spec(facts, main, root) for root in archived)
        return PullSnapshot(
            number=pull.number,
            head=pull.head_sha,
            specs=tuple(specs),
            conflicts=merged.files if isinstance(merged, MergeConflict) else (),
            archived=tuple(spec for spec in on_main if spec is not None),
        )

    def _proposed(
        self, facts: RepositoryFacts, root: str, trees: tuple[Sha, Sha, Sha]
    ) -> ProposedSpec:
        before, head, merged = (self._spec(facts, tree, root) for tree in trees)
        refusals: tuple[Refusal, ...] = ()
        if merged is not None and root.startswith(_DELTAS):
            main = self._ports.git.files(facts, trees[2], (_MAIN_SPECS,))
            folder = self._ports.git.files(facts, trees[2], (f"{root}/",))
            below = {path.removeprefix(f"{root}/"): raw for path, raw in folder.items()}
            folded = fold(_texts(main), _texts(below), root.rpartition("/")[2])
            refusals = folded.reasons if isinstance(folded, Refused) else ()
        return ProposedSpec(
            path=root, is_work=True, before=before, head=head, merged=merged, refusals=refusals
        )

    def _result(
        self, facts: RepositoryFacts, path: str, trees: tuple[Sha, Sha, Sha]
    ) -> ProposedSpec:
        before, head, merged = (self._spec(facts, tree, path) for tree in trees)
        return ProposedSpec(path=path, is_work=False, before=before, head=head, merged=merged)

    def _spec(self, facts: RepositoryFacts, tree: Sha, root: str) -> Spec | None:
        blobs = self._ports.git.blobs(facts, tree, (root,))
        if not blobs:
            return None
        key = (root, version_of(blobs))
        known = self._texts.get(key)
        if known is not None:
            return known
        return self._texts.put(key, read_spec(root, self._ports.git.files(facts, tree, (root,))))


def _moved(root: str, touched: Iterable[str]) -> bool:
    """Whether a folder of this name appears in the archive."""
    name = root.rpartition("/")[2]
    archive = f"{_DELTAS}archive/"
    return any(
        p.startswith(archive) and p.removeprefix(archive).split("/")[0].endswith(name)
        for p in touched
    )


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    return {
        path: raw.decode("utf-8", "surrogateescape")
        for path, raw in files.items()
        if path.endswith((".md", ".yaml"))
    }
