"""Observe: look at what the state and the hints ask about, and at nothing else.

The rule: what cannot change is asked once (texts at a commit are kept by their version); what is
not asked about is None. Deliberately absent: any decision beyond which look follows from another.
"""

from collections.abc import Mapping

from bot.core.decide.specs.plan_new_spec import changed_specs, version_of
from bot.core.journal.state import RepositoryState
from bot.core.prompts.digest_prompt import DigestPromptInput, SpecSource, source_of
from bot.core.spec.archive.folding import DeltaSnapshot
from bot.core.spec.identity.register import REGISTER_PATH, with_ids
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.policy_file import POLICY_PATH, PolicyFile
from bot.core.spec.proposal import PullSnapshot
from bot.core.spec.read import read_spec
from bot.core.spec.roots import spec_roots
from bot.core.state.observed import Looks, MainSnapshot, Observed, SpecReading, Words
from bot.core.talk.commands import Verb, read_commands
from bot.core.values.ids import CommentId, PullNumber, Sha, SpecRunId
from bot.core.values.repository import RepositoryFacts, Role
from bot.core.values.spec_model import Spec
from bot.ports import UserError
from bot.shell.archiving import bases_of, delta_snapshot
from bot.shell.observe_issues import IssueObserver
from bot.shell.observe_pulls import PullObserver
from bot.shell.observe_sizes import size_snapshots
from bot.shell.process_ports import Ports
from bot.shell.test_files import TestFiles

_DEFAULTS = Policy(file=PolicyFile(), origins=dict.fromkeys(PolicyFile.model_fields, "default"))


class Observer:
    """Looks for one process; remembers texts that cannot change."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._tests = TestFiles(ports)
        self._specs: dict[tuple[str, str], Spec] = {}
        self._policies: dict[tuple[int, Sha], tuple[Policy | PolicyRefusal, str]] = {}
        self._texts: dict[Sha, Policy | PolicyRefusal] = {}
        self._pulls = PullObserver(ports)
        self._issues = IssueObserver(ports)
        self._folders: dict[tuple[int, str], DeltaSnapshot] = {}
        self._sights: dict[tuple[int, Sha, tuple[str, ...]], tuple[Sha, dict[str, str]]] = {}

    def look(self, facts: RepositoryFacts, state: RepositoryState, looks: Looks) -> Observed:
        """One look, at everything that is asked about."""
        ports = self._ports
        # Pulls before main: what is merged there is on main by the time that main is looked at.
        pulls = {n: ports.forge.pull(facts, n) for n in looks.pulls}
        snapshot = self._main(facts, state) if looks.main else None
        main = snapshot.sha if snapshot else state.main
        policy, version = self._policy(facts, main)
        words = {id_: self._words(facts, id_) for id_ in looks.words}
        readings = {}
        if main is not None:
            wanted = _asked_for(words)
            if snapshot is not None:
                wanted = wanted & set(snapshot.specs) | set(
                    changed_specs(state.spec_versions, snapshot)
                )
            elif wanted:
                watched = self.policy_at(facts, state, main).file.watch
                wanted &= set(specs_on(ports, facts, main, watched))
            readings = self._readings(facts, main, wanted) if wanted else {}
        since = looks.comments_since
        issues = self._issues.look(facts, state, looks)
        return Observed(
            policy=policy,
            policy_version=version,
            last_good_policy=self._good(facts, state),
            models=ports.models,
            main=snapshot,
            spec_versions={id_: state.spec_runs[id_].version for id_ in looks.spec_runs},
            specs={id_: s for id_ in looks.spec_runs if (s := self._spec(facts, state, id_))},
            sizes=size_snapshots(ports, facts, state, looks),
            edits=self._edits(facts, state, looks.spec_runs),
            readings=readings,
            hinted_comments=looks.hinted_comments,
            words=words,
            comments=ports.forge.comments_since(facts, since) if since else (),
            # The workflow runs first: a run that has ended hands nothing in afterwards.
            workflow_runs={
                id_: ports.forge.workflow_run(facts, run)
                for id_ in looks.workflow_runs
                if (run := state.orders[id_].workflow_run) is not None
            },
            order_store=dict(ports.order_store.entries(facts.id, looks.order_store)),
            pulls=pulls,
            register_text=self._register(facts, snapshot) if looks.registered_ids else None,
            pull_snapshots=self._pull_snapshots(facts, state, looks, main),
            spec_issues=issues.specs,
            work_issues=issues.works,
            tests=self._tests.at(facts, main) if looks.tests and main is not None else None,
            deltas=self._deltas(facts, state, looks.deltas, main),
            sources={q: source_at(ports, facts, about) for q, about in looks.sources.items()},
        )

    def _pull_snapshots(
        self, facts: RepositoryFacts, state: RepositoryState, looks: Looks, main: Sha | None
    ) -> dict[PullNumber, PullSnapshot | None]:
        if main is None or not (looks.spec_pulls or looks.all_pulls):
            return {}
        watched = self.policy_at(facts, state, main).file.watch
        return self._pulls.look(facts, state, looks, (main, watched))

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
            known = self._folders.get((facts.id, path))
            if known is None or known.commit != main:
                known = delta_snapshot(self._ports, facts, main, path)
            found[id_] = self._folders[facts.id, path] = known
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
        sha = git.remote_ref(facts, facts.main_ref)
        if sha is None:
            return None
        if sha != state.main and not git.has(facts, sha):
            git.fetch(facts)
        history = git.history(facts, state.main, sha) if state.main else ()
        key = (facts.id, sha, self.policy_at(facts, state, sha).file.watch)
        if key not in self._sights:
            # Only the newest: main moves on, and what it was is not asked about again.
            self._sights = {key: (git.tree_of(facts, sha), specs_on(self._ports, facts, *key[1:]))}
        tree, specs = self._sights[key]
        return MainSnapshot(sha=sha, tree=tree, history=history, specs=specs)

    def _policy(
        self, facts: RepositoryFacts, main: Sha | None
    ) -> tuple[Policy | PolicyRefusal, str]:
        if main is None:
            return _DEFAULTS, ""
        key = (facts.id, main)
        if key not in self._policies:
            git = self._ports.git
            blob = git.blobs(facts, main, (POLICY_PATH,)).get(POLICY_PATH)
            if blob is not None and blob not in self._texts:
                raw = git.files(facts, main, (POLICY_PATH,)).get(POLICY_PATH, b"")
                self._texts[blob] = read_policy(raw.decode("utf-8", "replace"))
            self._policies[key] = (self._texts[blob], blob) if blob else (_DEFAULTS, "")
        return self._policies[key]

    def _words(self, facts: RepositoryFacts, id_: CommentId) -> Words:
        forge = self._ports.forge
        comment = forge.comment(facts, id_)
        if comment is None or not comment.author_is_person or not read_commands(comment.body):
            return Words(comment=comment, role=Role.NONE)
        return Words(comment=comment, role=forge.role(facts, comment.author))

    def _spec(self, facts: RepositoryFacts, state: RepositoryState, id_: SpecRunId) -> Spec | None:
        run = state.spec_runs[id_]
        if run.commit is None:
            return None
        return with_ids(self._text(facts, run.path, run.version, run.commit), run.ids)

    def _edits(
        self, facts: RepositoryFacts, state: RepositoryState, ids: tuple[SpecRunId, ...]
    ) -> dict[SpecRunId, Spec]:
        """The texts of edits that are being planned."""
        found = {}
        for id_ in ids:
            run = state.spec_runs[id_]
            again = run.replanning
            if again is not None and again.edit is not None:
                text = self._text(facts, run.path, again.version, again.commit)
                found[id_] = with_ids(text, again.edit.ids)
        return found

    def _text(self, facts: RepositoryFacts, path: str, version: str, commit: Sha) -> Spec:
        if (path, version) not in self._specs:
            files = self._ports.git.files(facts, commit, (path,))
            self._specs[path, version] = read_spec(path, files)
        return self._specs[path, version]

    def _register(self, facts: RepositoryFacts, snapshot: MainSnapshot | None) -> str | None:
        """The register's file on main; None without a look at main, empty without a file."""
        if snapshot is None:
            return None
        raw = self._ports.git.files(facts, snapshot.sha, (REGISTER_PATH,)).get(REGISTER_PATH, b"")
        return raw.decode("utf-8", "replace")

    def _readings(
        self, facts: RepositoryFacts, main: Sha, wanted: set[str]
    ) -> dict[str, SpecReading]:
        git = self._ports.git
        found: dict[str, SpecReading] = {}
        for path in sorted(wanted):
            blobs = git.blobs(facts, main, (path,))
            if not blobs:
                continue
            version = version_of(blobs)
            key = (path, version)
            if key not in self._specs:
                self._specs[key] = read_spec(path, git.files(facts, main, (path,)))
            bases = bases_of(self._ports, facts, main, path)
            found[path] = SpecReading(
                spec=self._specs[key], version=version, commit=main, bases=bases
            )
        return found


def source_at(ports: Ports, facts: RepositoryFacts, about: DigestPromptInput) -> SpecSource | None:
    """The spec that a question is about, as it was asked; None where the commit is nowhere any more.

    A pull's head is fetched again where the mirror is another one by now.
    """
    git = ports.git
    try:
        if about.pull is not None and not git.has(facts, about.commit):
            git.fetch_pull(facts, about.pull)
        files = git.files(facts, about.commit, (about.path,))
    except UserError:
        return None
    return source_of(read_spec(about.path, files), files)


def specs_on(
    ports: Ports, facts: RepositoryFacts, commit: Sha, watched: tuple[str, ...]
) -> dict[str, str]:
    """Every spec under the watched folders at a commit, with its version."""
    blobs: Mapping[str, Sha] = ports.git.blobs(facts, commit, watched)
    found = {}
    for root in spec_roots(blobs, watched):
        own = {p: b for p, b in blobs.items() if p == root or p.startswith(f"{root}/")}
        found[root] = version_of(own)
    return found


def _asked_for(words: Mapping[CommentId, Words]) -> set[str]:
    """The paths that `/headgate run PATH` names in comments that were just read."""
    return {
        command.argument.strip("`").strip("/")
        for said in words.values()
        if said.comment is not None
        for command in read_commands(said.comment.body)
        if command.verb is Verb.RUN and command.argument
    }
