"""Observe: look at what the state and the hints ask about, and at nothing else.

Texts at a commit cannot change, so they are kept by their version. What is not asked about is None.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.decide.specs.plan_new_spec import changed_specs, version_of
from bot.core.journal.state import RepositoryState
from bot.core.spec.archive.folding import DeltaSnapshot
from bot.core.spec.identity.register import REGISTER_FILE, REGISTER_FOLDER, with_ids
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.policy_file import POLICY_PATH, PolicyFile
from bot.core.spec.proposal import PullSnapshot
from bot.core.spec.quarantine import QUARANTINE_PATH, with_quarantine
from bot.core.spec.roots import files_by_root
from bot.core.spec.triage.mentions import TestSnapshot
from bot.core.state.observed import (
    CommentWithRole,
    Hint,
    HintKind,
    Looks,
    MainSnapshot,
    Observed,
    OrderEntry,
    PressWithRole,
    SpecReading,
    asks_for_rules,
    commits_with_passed_tests,
)
from bot.core.talk.commands import read_commands
from bot.core.values.command import Verb
from bot.core.values.ids import (
    CommentId,
    OrderId,
    PullNumber,
    RepositoryId,
    RequirementId,
    Sha,
    SpecRunId,
)
from bot.core.values.repository import (
    Pull,
    RepositoryFacts,
    Role,
    Standing,
)
from bot.core.values.spec_model import Spec
from bot.core.values.wanted_reading import Reading, ReadingKind
from bot.shell.archiving import bases_of, delta_snapshot
from bot.shell.ledger_look import LedgerLook
from bot.shell.observe_approved import ApprovedObserver
from bot.shell.observe_authors import authors_at
from bot.shell.observe_branches import BranchObserver, foreign_tips, groups_at
from bot.shell.observe_issues import IssueObserver, ticked_steps
from bot.shell.observe_pulls import PullObserver, onboarding_snapshot
from bot.shell.observe_queue import pulls_seen, pulls_to_queue
from bot.shell.observe_reviews import diffs_at, review_snapshot
from bot.shell.observe_rules import checks_at, rules_at
from bot.shell.observe_runs import with_errors, workflow_runs
from bot.shell.observe_sizes import size_snapshots
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent
from bot.shell.spec_sources import sources
from bot.shell.spec_texts import SpecTexts
from bot.shell.test_files import TestFiles

_DEFAULTS = Policy(file=PolicyFile(), origins=dict.fromkeys(PolicyFile.model_fields, "default"))

# A process serves many repositories for weeks. What is dropped is read again from the mirror.
_REPOSITORIES_KEPT = 1_000
# A policy is asked for at main and at the commit of the last good one.
_COMMITS_KEPT = 4 * _REPOSITORIES_KEPT
# Of the processor, for all specs of a look: people's commands wait for it.
_LOOK_SECONDS = 5.0
_TEXTS_KEPT = 200

_Commit = tuple[RepositoryId, Sha]
_PolicyAndVersion = tuple[Policy | PolicyRefusal, str]


@dataclass(frozen=True, slots=True)
class _SpecsOnMain:
    commit: Sha
    watched: tuple[str, ...]
    tree: Sha
    specs: dict[str, str]


class Observer:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._tests = TestFiles(ports)
        self._specs = SpecTexts(ports)
        self._policies: Recent[_Commit, _PolicyAndVersion] = Recent(_COMMITS_KEPT)
        self._policy_texts: Recent[str, Policy | PolicyRefusal] = Recent(_TEXTS_KEPT)
        self._pulls = PullObserver(ports, self._specs)
        self._approved = ApprovedObserver(ports)
        self._branches = BranchObserver(ports, self._good, self._policy)
        self._issues = IssueObserver(ports)
        self._deltas_kept: Recent[tuple[RepositoryId, str], DeltaSnapshot] = Recent(_TEXTS_KEPT)
        self._specs_on_main: Recent[RepositoryId, _SpecsOnMain] = Recent(_REPOSITORIES_KEPT)
        self._ledger = LedgerLook(ports)

    def look(self, facts: RepositoryFacts, state: RepositoryState, looks: Looks) -> Observed:
        """One look, at everything that is asked about, under the names that it has now."""
        ports = self._ports
        standing = ports.forge.standing(facts, looks.is_doubted) if looks.standing else None
        facts = standing.facts if standing and standing.facts else facts
        if standing.away if standing else state.away:
            return self._while_away(facts, state, looks, standing)
        since = looks.comments_since
        return self._look(facts, state, looks).replace(
            standing=standing,
            rewound_to=looks.rewound_to,
            comments=ports.forge.comments_since(facts, since) if since else (),
        )

    def _tip(
        self, facts: RepositoryFacts, state: RepositoryState, looks: Looks
    ) -> tuple[MainSnapshot | None, Sha | None]:
        """Main where it is looked at, and its commit as far as it is known."""
        snapshot = self._main(facts, state) if looks.main else None
        return snapshot, snapshot.sha if snapshot else state.main

    def _look(self, facts: RepositoryFacts, state: RepositoryState, looks: Looks) -> Observed:
        ports = self._ports
        # Pulls before main: what is merged there is on main by the time that main is looked at.
        seen = pulls_seen(ports, facts, state, looks)
        snapshot, main = self._tip(facts, state, looks)
        policy, version = self._policy(facts, main)
        comments = {id_: self._comment(facts, id_) for id_ in looks.comment_ids}
        readings, comments = self._readings_for(facts, state, (snapshot, main), comments)
        specs = self._specs_of(facts, state, looks)
        edits = self._edits(facts, state, looks.spec_runs)
        is_unread = None in specs.values() or None in edits.values()
        comments = {i: _waiting_for_runs(c) for i, c in comments.items()} if is_unread else comments
        # The workflow runs first: a run that has ended hands nothing in afterwards.
        runs = workflow_runs(ports, facts, state, looks)
        pulls = {**seen.pulls, **pulls_to_queue(ports, facts, comments.values())}
        asked, at = (looks, asks_for_rules(comments.values())), (main, policy)
        rules, ruled = rules_at(ports, facts, state, main, (looks, comments.values()))
        served, approvals = self._branches.look(facts, ruled, asked, pulls, at)
        entering = self._approved.look(facts, ruled, looks, seen.listed, at)
        judged_tests, order_store = self._judged_tests(facts, state, looks)
        issues = self._issues.look(facts, state, looks)
        return Observed(
            policy=policy,
            policy_version=version,
            last_good_policy=self._good(facts, state),
            models=ports.models,
            rules=rules,
            authors=authors_at(ports, facts, state, policy, comments.values()),
            main=snapshot,
            served=served,
            spec_versions={id_: state.spec_runs[id_].version for id_ in looks.spec_runs},
            specs={id_: spec for id_, spec in specs.items() if spec is not None},
            sizes=size_snapshots(ports, facts, state, looks),
            ticked=ticked_steps(ports, facts, looks),
            edits={id_: spec for id_, spec in edits.items() if spec is not None},
            is_unread=is_unread,
            readings=readings,
            hinted_comments=looks.hinted_comments,
            comments_by_id=comments,
            reviews=review_snapshot(ports, facts, state, looks),
            presses=self._presses(facts, looks),
            workflow_runs=with_errors(ports, facts, runs, order_store),
            order_store=order_store,
            checks=checks_at(ports, facts, looks, policy),
            judged_tests=judged_tests,
            pulls=pulls | {number: one.pull for number, one in entering.items()},
            queue_labels=seen.labels,
            approvals=approvals | {number: one.approvals for number, one in entering.items()},
            approved_pulls=entering,
            branches=dict(foreign_tips(ports, facts)) if looks.branches else {},
            register_text=self._register(facts, snapshot) if looks.registered_ids else None,
            pull_snapshots=self._pull_snapshots(facts, state, looks, main, seen.listed),
            spec_issues=issues.specs,
            work_issues=issues.works,
            tests=self._tests.at(facts, main) if looks.tests and main is not None else None,
            deltas=self._deltas(facts, state, looks.deltas, main),
            onboarding=onboarding_snapshot(ports, facts, state, main) if looks.onboarding else None,
            diffs=diffs_at(ports, facts, looks.diffs),
            sources=sources(ports, self._specs, facts, looks.sources),
        )

    def _judged_tests(
        self, facts: RepositoryFacts, state: RepositoryState, looks: Looks
    ) -> tuple[dict[Sha, TestSnapshot], dict[OrderId, OrderEntry]]:
        """The tests of the judged commits, and the order store's entries; an entry is marked as waiting
        until the tests of its commit are read.
        """
        order_store = dict(self._ports.order_store.entries(facts.id, looks.order_store))
        found: dict[Sha, TestSnapshot] = {}
        unread: set[Sha] = set()
        for commit in commits_with_passed_tests(state, order_store.values()):
            if not self._ports.git.has(facts, commit):
                continue
            tests = self._tests.at(facts, commit)
            if tests is None:
                unread.add(commit)
            else:
                found[commit] = tests
        entries = {
            id_: entry.replace(is_waiting=True) if state.orders[id_].commit in unread else entry
            for id_, entry in order_store.items()
        }
        return found, entries

    def _while_away(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        looks: Looks,
        standing: Standing | None,
    ) -> Observed:
        good = self._good(facts, state)
        return Observed(
            policy=good, last_good_policy=good, standing=standing, rewound_to=looks.rewound_to
        )

    def _presses(self, facts: RepositoryFacts, looks: Looks) -> tuple[PressWithRole, ...]:
        return tuple(
            PressWithRole(press=press, role=self._ports.forge.role(facts, press.person))
            for press in looks.presses
        )

    def _readings_for(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        main: tuple[MainSnapshot | None, Sha | None],
        comments: dict[CommentId, CommentWithRole],
    ) -> tuple[dict[str, SpecReading], dict[CommentId, CommentWithRole]]:
        """The specs to handle now, and the comments; a comment waits if its spec is read later."""
        snapshot, commit = main
        asked = _paths_to_run(comments)
        wanted = self._specs_to_read(facts, state, snapshot, asked)
        if commit is None or not wanted:
            return {}, comments
        found, later = self._readings(facts, commit, (wanted, asked))
        return found, {id_: _waiting_for(one, later) for id_, one in comments.items()}

    def _specs_to_read(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        snapshot: MainSnapshot | None,
        asked: set[str],
    ) -> set[str]:
        """The specs that changed on main, and those that somebody wants to be run."""
        if snapshot is not None:
            return asked & set(snapshot.specs) | set(changed_specs(state.spec_versions, snapshot))
        if state.main is None or not asked:
            return set()
        watched = self.policy_at(facts, state, state.main).file.watch
        return asked & set(specs_on(self._ports, facts, state.main, watched))

    def _pull_snapshots(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        looks: Looks,
        main: Sha | None,
        open_pulls: Sequence[Pull],
    ) -> dict[PullNumber, PullSnapshot | None]:
        if main is None or not (looks.spec_pulls or looks.is_full):
            return {}
        at = (main, self.policy_at(facts, state, main))
        return self._pulls.look(facts, state, looks, at, open_pulls)

    def read(self, repository: RepositoryId, reading: Reading) -> bool:
        """Read texts for all processes; whether there is news, so that the repository is reconciled."""
        state = self._ports.journal.load(repository)
        if state.facts is None or state.away is not None:
            return False
        if reading.kind is ReadingKind.SPEC:
            return self._specs.read(state.facts, reading.path, Sha(reading.commit))
        if state.main is None:
            return False
        policy = self.policy_at(state.facts, state, state.main)
        return self._pulls.read(state.facts, PullNumber(reading.number), (state.main, policy))

    def _deltas(
        self,
        facts: RepositoryFacts,
        state: RepositoryState,
        ids: tuple[SpecRunId, ...],
        main: Sha | None,
    ) -> dict[SpecRunId, DeltaSnapshot]:
        """Delta folders under way beside the main specs; kept while main does not move."""
        found: dict[SpecRunId, DeltaSnapshot] = {}
        if main is None:
            return found
        for id_ in ids:
            path = state.spec_runs[id_].path
            known = self._deltas_kept.get((facts.id, path))
            if known is None or known.commit != main:
                known = delta_snapshot(self._ports, facts, main, path)
                self._deltas_kept.put((facts.id, path), known)
            found[id_] = known
        return found

    def policy_at(self, facts: RepositoryFacts, state: RepositoryState, commit: Sha) -> Policy:
        """The policy at a commit, or the last that could be read."""
        policy, _ = self._policy(facts, commit)
        return policy if isinstance(policy, Policy) else self._good(facts, state)

    def _good(self, facts: RepositoryFacts, state: RepositoryState) -> Policy:
        policy, _ = self._policy(facts, state.policy_commit)
        return policy if isinstance(policy, Policy) else _DEFAULTS

    def _main(self, facts: RepositoryFacts, state: RepositoryState) -> MainSnapshot | None:
        git = self._ports.git
        sha = self._ledger.tip_of_main(facts, state)
        if sha is None:
            return None
        history = git.history(facts, state.main, sha) if state.main else ()
        watched = self.policy_at(facts, state, sha).file.watch
        # Only the newest: main moves on, and what it was is not asked about again.
        known = self._specs_on_main.get(facts.id)
        if known is None or (known.commit, known.watched) != (sha, watched):
            found = specs_on(self._ports, facts, sha, watched)
            known = _SpecsOnMain(sha, watched, git.tree_of(facts, sha), found)
            self._specs_on_main.put(facts.id, known)
        groups = groups_at(git, facts, state, self.policy_at(facts, state, sha))
        return MainSnapshot(
            sha=sha, tree=known.tree, history=history, specs=known.specs, groups=groups
        )

    def _policy(self, facts: RepositoryFacts, main: Sha | None) -> _PolicyAndVersion:
        if main is None:
            return _DEFAULTS, ""
        key = (facts.id, main)
        known = self._policies.get(key)
        return known or self._policies.put(key, self._read_policy(facts, main))

    def _read_policy(self, facts: RepositoryFacts, main: Sha) -> _PolicyAndVersion:
        git = self._ports.git
        paths = (POLICY_PATH, QUARANTINE_PATH)
        blobs = git.blobs(facts, main, paths)
        blob = blobs.get(POLICY_PATH)
        if blob is None:
            return _DEFAULTS, ""
        version = "+".join(blobs[path] for path in paths if path in blobs)
        policy = self._policy_texts.get(version)
        if policy is None:
            found = git.files(facts, main, paths)
            texts = {path: raw.decode("utf-8", "replace") for path, raw in found.items()}
            read = read_policy(texts.get(POLICY_PATH, ""))
            policy = with_quarantine(read, texts.get(QUARANTINE_PATH))
            self._policy_texts.put(version, policy)
        return policy, version

    def _comment(self, facts: RepositoryFacts, id_: CommentId) -> CommentWithRole:
        forge = self._ports.forge
        comment = forge.comment(facts, id_)
        if comment is None or not comment.author_is_person:
            return CommentWithRole(comment=comment)
        commands = read_commands(comment.body)
        role = forge.role(facts, comment.author) if commands else Role.NONE
        return CommentWithRole(comment=comment, commands=commands, role=role)

    def _specs_of(
        self, facts: RepositoryFacts, state: RepositoryState, looks: Looks
    ) -> dict[SpecRunId, Spec | None]:
        """The texts of runs; None where one is read by another worker now."""
        runs = (state.spec_runs[id_] for id_ in looks.spec_runs)
        return {
            run.id: self._with_ids(facts, (run.path, run.version, run.commit), run.ids)
            for run in runs
            if run.commit is not None
        }

    def _edits(
        self, facts: RepositoryFacts, state: RepositoryState, ids: tuple[SpecRunId, ...]
    ) -> dict[SpecRunId, Spec | None]:
        """The texts of edits that are being planned; None where one is read by another worker now."""
        found = {}
        for id_ in ids:
            run = state.spec_runs[id_]
            again = run.replanning
            if again is not None and again.edit is not None:
                at = (run.path, again.version, again.commit)
                found[id_] = self._with_ids(facts, at, again.edit.ids)
        return found

    def _with_ids(
        self,
        facts: RepositoryFacts,
        at: tuple[str, str, Sha],
        ids: Mapping[RequirementId, RequirementId],
    ) -> Spec | None:
        text = self._specs.known(facts, *at)
        return None if text is None else with_ids(text.spec, ids)

    def _register(self, facts: RepositoryFacts, snapshot: MainSnapshot | None) -> str | None:
        """The lines of main's register; None without a look at main, empty without a register."""
        if snapshot is None:
            return None
        wanted = (f"{REGISTER_FOLDER}/", REGISTER_FILE)
        files = self._ports.git.files(facts, snapshot.sha, wanted)
        return "\n".join(raw.decode("utf-8", "replace") for raw in files.values())

    def _readings(
        self, facts: RepositoryFacts, main: Sha, paths: tuple[set[str], set[str]]
    ) -> tuple[dict[str, SpecReading], set[str]]:
        """What is wanted and was read, that which somebody asked for first; and what another worker
        reads now. What is left is for the next look.
        """
        git = self._ports.git
        wanted, asked = paths
        found: dict[str, SpecReading] = {}
        later: set[str] = set()
        spent, began = 0.0, time.process_time()
        for path in sorted(wanted, key=lambda path: (path not in asked, path)):
            seconds = spent + time.process_time() - began
            if found and path not in asked and seconds > _LOOK_SECONDS:
                self._ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
                break
            blobs = git.blobs(facts, main, (path,))
            if not blobs:
                continue
            version = version_of(blobs)
            text = self._specs.known(facts, path, version, main)
            if text is None:
                later.add(path)
                continue
            spent += text.plan_seconds
            found[path] = SpecReading(
                spec=text.spec,
                version=version,
                commit=main,
                bases=bases_of(self._ports, facts, main, path),
            )
        return found, later


def specs_on(
    ports: Ports, facts: RepositoryFacts, commit: Sha, watched: tuple[str, ...]
) -> dict[str, str]:
    blobs: Mapping[str, Sha] = ports.git.blobs(facts, commit, watched)
    found = files_by_root(blobs, watched)
    return {root: version_of({p: blobs[p] for p in own}) for root, own in found.items()}


def _waiting_for(found: CommentWithRole, unread: set[str]) -> CommentWithRole:
    """The comment, which waits where it asks for a spec that is read by another worker now."""
    waits = not unread.isdisjoint(_paths_to_run({CommentId(0): found}))
    return found.replace(is_waiting=True) if waits else found


def _waiting_for_runs(found: CommentWithRole) -> CommentWithRole:
    """The comment, which waits where it edits a plan: that is held against its spec."""
    edits = any(command.verb is Verb.PLAN for command in found.commands)
    return found.replace(is_waiting=True) if edits else found


def _paths_to_run(comments: Mapping[CommentId, CommentWithRole]) -> set[str]:
    """The paths that `/headgate run PATH` names in comments that were just read."""
    return {
        command.argument.strip("`").strip("/")
        for found in comments.values()
        for command in found.commands
        if command.verb is Verb.RUN and command.argument
    }
