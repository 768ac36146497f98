"""Looks at open pulls that touch specs: each spec on main, at the pull's head, and merged.

A pull's commits may be a stranger's: they are fetched as objects by the ref that GitHub keeps for
the pull, read as texts, and never run. Where git cannot answer for one pull, the others go on.
"""

import hashlib
import time
from collections.abc import Iterable, Sequence

from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.journal.state import RepositoryState
from bot.core.plan.digest import OnMain, proposed_digest
from bot.core.spec.archive.delta import Refused, fold
from bot.core.spec.archive.folding import texts_of
from bot.core.spec.archive.main_rules import Refusal
from bot.core.spec.ceilings import (
    StrangersCaps,
    over_file_cap,
    over_requirements_cap,
    too_costly,
)
from bot.core.spec.identity.register import Register, registered
from bot.core.spec.policy import Policy
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.read import read_spec
from bot.core.spec.roots import paths_under, root_of
from bot.core.spec.triage.guardrails import Guard
from bot.core.state.observed import Hint, HintKind, Looks
from bot.core.state.onboarding import onboarding_pull
from bot.core.values.candidate import MergeConflict
from bot.core.values.first_pull import OnboardingSnapshot
from bot.core.values.ids import Frozen, PullNumber, RepositoryId, Sha
from bot.core.values.repository import Pull, PullState, RepositoryFacts
from bot.core.values.spec_model import Spec
from bot.core.values.wanted_reading import Reading, ReadingKind
from bot.ports import UserError
from bot.shell.deadline import TooCostly, within
from bot.shell.observe_queue import named_pulls
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent
from bot.shell.spec_texts import SpecTexts, form_of

_MAIN_SPECS = "openspec/specs/"
_DELTAS = "openspec/changes/"
# A pull that touches more specs than a person would read at once is told of the first ones.
_SPECS_MAX = 30
# What is dropped is read again from the mirror. A snapshot may hold 30 specs three times.
_SNAPSHOTS_KEPT = 300
_TEXTS_KEPT = 200
_PULLS_KEPT = 4_000
# Of the processor, for all texts of a pull with their plans; 100 kB take half a second.
_PULL_SECONDS = 15.0
# What one look takes, with the digests that are made of it; the other pulls wait for the next look.
_LOOK_SECONDS = 5.0
# A process may be ended for another reason while it reads.
_TRIES_MAX = 2

_PullKey = tuple[RepositoryId, PullNumber]


class PullObserver:
    """Looks for one process; keeps what cannot change, a head merged on a main.

    Texts are not read here, where people's commands wait: whoever reads them (`read`) is rung for, and
    what was read lies in the store, by content, for all processes.
    """

    def __init__(self, ports: Ports, specs: SpecTexts) -> None:
        self._ports = ports
        self._specs = specs
        self._texts: Recent[tuple[str, str], Spec] = Recent(_TEXTS_KEPT)
        self._snapshots: Recent[_PullKey, tuple[str, PullSnapshot]] = Recent(_SNAPSHOTS_KEPT)
        self._without_specs: Recent[_PullKey, tuple[Sha, tuple[str, ...]]] = Recent(_PULLS_KEPT)

    def look(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        looks: Looks,
        at: tuple[Sha, Policy],
        open_pulls: Sequence[Pull],
    ) -> dict[PullNumber, PullSnapshot | None]:
        """The pulls that are asked about, and all open ones where all are; those that nobody has read
        yet are left out. `at`: main and its policy; `open_pulls` were listed where all are asked about.
        """
        pulls: dict[PullNumber, Pull | None] = {}
        if looks.is_full:
            pulls = dict.fromkeys(state.pull_digests)
            pulls |= {pull.number: pull for pull in open_pulls}
        else:
            pulls = named_pulls(self._ports, facts, looks.spec_pulls, ())
        own = {c.pull for c in state.changes.values() if c.pull is not None}
        found: dict[PullNumber, PullSnapshot | None] = {}
        later: list[Hint] = []
        spent = 0.0
        for number, pull in pulls.items():
            if number in own:
                continue
            if spent > _LOOK_SECONDS:
                later.append(Hint(kind=HintKind.PULL, number=number))
                continue
            began = time.monotonic()
            touched = self._touched(facts, pull, at)
            if touched is None:
                found[number] = None
            elif (snapshot := self._known(facts, touched)) is not None:
                found[number] = snapshot
                spent += snapshot.digest_seconds
            else:
                is_strangers = touched.caps is not None
                wanted = Reading(kind=ReadingKind.PULL, number=number, is_strangers=is_strangers)
                self._ports.doorbell.ring_reading(facts.id, wanted)
            spent += time.monotonic() - began
        self._ports.journal.put_hints(facts.id, tuple(later))
        return found

    def read(self, facts: RepositoryFacts, number: PullNumber, at: tuple[Sha, Policy]) -> bool:
        """Read a pull's texts into the store; False where there is nothing (more) to read."""
        ports = self._ports
        touched = self._touched(facts, ports.forge.pull(facts, number), at)
        if touched is None or self._known(facts, touched) is not None:
            return False
        key = touched.key(facts)
        tries = ports.readings.begin(key, ports.clock.now())
        if tries is None:
            return False
        if tries > _TRIES_MAX:
            snapshot = touched.refused(
                f"Headgate tried to read it {_TRIES_MAX} times, but no reading completed."
            )
        else:
            snapshot = self._within_limits(facts, touched)
        ports.readings.put(key, snapshot.model_dump_json().encode(), ports.clock.now())
        return True

    def _touched(
        self, facts: RepositoryFacts, pull: Pull | None, at: tuple[Sha, Policy]
    ) -> "_Touched | None":
        """What a pull touches; None if it is not open to main, or touches no spec."""
        is_ours_to_tell = pull is not None and pull.base_branch == facts.default_branch
        if pull is None or not is_ours_to_tell or pull.state is not PullState.OPEN:
            return None
        main, watched = at[0], at[1].file.watch
        key = (facts.id, pull.number)
        if self._without_specs.get(key) == (pull.head_sha, watched):
            # What a head does not touch, it does not touch on any main.
            return None
        git = self._ports.git
        try:
            if not git.has(facts, pull.head_sha):
                git.fetch_pull(facts, pull.number)
            merged = git.merge(facts, main, pull.head_sha)
            tree = pull.head_sha if isinstance(merged, MergeConflict) else merged.tree
            touched = paths_under(git.changed_paths(facts, main, tree), watched)
        except UserError:
            # No common history, or a head that GitHub does not hand out (yet): nothing to tell.
            return None
        roots = sorted({r for p in touched if (r := root_of(p))})[:_SPECS_MAX]
        results = [p for p in touched if p.startswith(_MAIN_SPECS) and p.endswith(".md")]
        if not roots and not results:
            self._without_specs.put(key, (pull.head_sha, watched))
            return None
        strangers = at[1].file.strangers
        return _Touched(
            pull=pull.number,
            trees=(main, pull.head_sha, tree),
            roots=tuple(roots),
            results=tuple(results[:_SPECS_MAX]),
            archived=tuple(r for r in roots if r.startswith(_DELTAS) and _moved(r, touched)),
            conflicts=merged.files if isinstance(merged, MergeConflict) else (),
            caps=StrangersCaps(
                file_bytes=1_000 * strangers.kilobytes, requirements=strangers.requirements
            )
            if pull.is_from_fork
            else None,
        )

    def _known(self, facts: RepositoryFacts, touched: "_Touched") -> PullSnapshot | None:
        """What was read of the pull, by this process or another one."""
        key = touched.key(facts)
        here = (facts.id, touched.pull)
        seen = self._snapshots.get(here)
        if seen is not None and seen[0] == key:
            return seen[1]
        body = self._ports.readings.get(key)
        if body is None:
            return None
        return self._snapshots.put(here, (key, PullSnapshot.model_validate_json(body)))[1]

    def _within_limits(self, facts: RepositoryFacts, touched: "_Touched") -> PullSnapshot:
        """The pull as it was read and could be planned, or a finding in place of it."""
        try:
            return within(_PULL_SECONDS, lambda: self._read(facts, touched))
        except TooCostly:
            return touched.refused(
                f"reading and planning it takes more than {_PULL_SECONDS:g} seconds of "
                "processor time. Shorten the text, or split it into several."
            )

    def _read(self, facts: RepositoryFacts, touched: "_Touched") -> PullSnapshot:
        specs = (
            *(self._proposed(facts, root, touched) for root in touched.roots),
            *(self._result(facts, path, touched) for path in touched.results),
        )
        on_main = (self._spec(facts, touched.trees[0], root) for root in touched.archived)
        snapshot = PullSnapshot(
            number=touched.pull,
            head=touched.trees[1],
            specs=specs,
            conflicts=touched.conflicts,
            archived=tuple(spec for spec in on_main if spec is not None),
        )
        began = time.process_time()
        for one in snapshot.specs:
            # As it will be digested: what cannot be planned in time is not handed on.
            known = registered(Register(), one.before, "main").register if one.before else None
            merged = registered(known or Register(), one.merged, "pull") if one.merged else None
            main = OnMain(registered=merged.spec if merged else None)
            proposed_digest(one, snapshot.archived, Guard.WARN, main)
        return snapshot.replace(digest_seconds=time.process_time() - began)

    def _proposed(self, facts: RepositoryFacts, root: str, touched: "_Touched") -> ProposedSpec:
        trees = touched.trees
        before, head, merged = self._three(facts, root, touched)
        refusals: tuple[Refusal, ...] = ()
        if merged is not None and root.startswith(_DELTAS):
            main = self._ports.git.files(facts, trees[2], (_MAIN_SPECS,))
            folder = self._ports.git.files(facts, trees[2], (f"{root}/",))
            below = {path.removeprefix(f"{root}/"): raw for path, raw in folder.items()}
            folded = fold(texts_of(main), texts_of(below), root.rpartition("/")[2])
            refusals = folded.reasons if isinstance(folded, Refused) else ()
        return ProposedSpec(
            path=root, is_work=True, before=before, head=head, merged=merged, refusals=refusals
        )

    def _result(self, facts: RepositoryFacts, path: str, touched: "_Touched") -> ProposedSpec:
        before, head, merged = self._three(facts, path, touched)
        return ProposedSpec(path=path, is_work=False, before=before, head=head, merged=merged)

    def _three(
        self, facts: RepositoryFacts, root: str, touched: "_Touched"
    ) -> tuple[Spec | None, Spec | None, Spec | None]:
        """A spec on main, at the head, and merged; a stranger's own texts up to what they may bring."""
        main, head, merged = touched.trees
        return (
            self._spec(facts, main, root),
            self._spec(facts, head, root, touched.caps),
            self._spec(facts, merged, root, touched.caps),
        )

    def _spec(
        self, facts: RepositoryFacts, tree: Sha, root: str, caps: StrangersCaps | None = None
    ) -> Spec | None:
        blobs = self._ports.git.blobs(facts, tree, (root,))
        if not blobs:
            return None
        key = (root, version_of(blobs))
        known = self._texts.get(key)
        if known is None:
            files = self._ports.git.files(facts, tree, (root,))
            too_long = over_file_cap(root, files, caps) if caps else None
            if too_long is not None:
                return too_long
            known = self._texts.put(key, read_spec(root, files))
        too_many = over_requirements_cap(known, caps) if caps else None
        if too_many is not None:
            return too_many
        self._specs.keep_read(facts, *key, known)
        return known


class _Touched(Frozen):
    """What a pull touches. `trees` are main, the pull's head, and the head merged on main; `caps` are
    for a stranger's pull.
    """

    pull: PullNumber
    trees: tuple[Sha, Sha, Sha]
    roots: tuple[str, ...]
    results: tuple[str, ...]
    archived: tuple[str, ...]
    conflicts: tuple[str, ...]
    caps: StrangersCaps | None

    def key(self, facts: RepositoryFacts) -> str:
        """The same for the same texts under the same limits, as this release writes them down."""
        text = f"{form_of(PullSnapshot)} {facts.id} {self.model_dump_json()}"
        return hashlib.sha256(text.encode()).hexdigest()

    def refused(self, why: str) -> PullSnapshot:
        """The pull with one finding for each spec in place of its text."""
        return PullSnapshot(
            number=self.pull,
            head=self.trees[1],
            specs=tuple(
                ProposedSpec(
                    path=root,
                    is_work=root in self.roots,
                    before=None,
                    head=(spec := too_costly(root, why)),
                    merged=spec,
                )
                for root in (*self.roots, *self.results)
            ),
            conflicts=self.conflicts,
        )


def _moved(root: str, touched: Iterable[str]) -> bool:
    """Whether a folder of this name appears in the archive."""
    name = root.rpartition("/")[2]
    archive = f"{_DELTAS}archive/"
    return any(
        p.startswith(archive) and p.removeprefix(archive).split("/")[0].endswith(name)
        for p in touched
    )


def onboarding_snapshot(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, main: Sha | None
) -> OnboardingSnapshot | None:
    number = onboarding_pull(state)
    pull = ports.forge.pull(facts, number) if number is not None else None
    if number is None or pull is None:
        return None
    is_open = pull.state is PullState.OPEN
    commit = pull.head_sha if is_open else main
    if commit is None:
        return None
    if is_open and not ports.git.has(facts, commit):
        ports.git.fetch_pull(facts, number)
    there = ports.git.blobs(facts, commit, tuple(ports.workflow_files))
    missing = {path: text for path, text in ports.workflow_files.items() if path not in there}
    return OnboardingSnapshot(pull=number, state=pull.state, head=pull.head_sha, missing=missing)
