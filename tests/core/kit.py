"""A small world for `decide`: what it sees, what it asks for, and what would come of it.

Pure: time is a field, runners do what the test says, every effect succeeds at once unless the test
says otherwise. One `tick` is one look, one decision and its deeds; `settle` ticks until nothing
more is decided, and fails where that never comes.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import count

from action.order import AgentOrder, GateOrder
from action.report import (
    AgentEnding,
    AgentQuestion,
    AgentReport,
    GateOrderReport,
    Obstacle,
    TokenUse,
)
from bot.core.decide.decide import decide
from bot.core.decide.specs.plan_new_spec import changed_specs
from bot.core.journal import events as ev
from bot.core.journal.effects import AskModel, DispatchOrder, Effect
from bot.core.journal.events import Event
from bot.core.journal.evolve import fold
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, branch_of
from bot.core.spec.identity.register import with_ids
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.policy_file import PolicyFile
from bot.core.spec.proposal import PullSnapshot
from bot.core.spec.triage.mentions import Mention, TestSnapshot
from bot.core.state.access import may_be_done
from bot.core.state.observed import (
    CommentWithRole,
    Hint,
    HintKind,
    MainSnapshot,
    Observed,
    OrderEntry,
    PressWithRole,
    SizeSnapshot,
    SpecIssueSnapshot,
    SpecReading,
    WorkIssueSnapshot,
    asks_for_rules,
    commits_with_passed_tests,
    looks,
)
from bot.core.talk.commands import read_commands
from bot.core.values.check_run import CheckRunText
from bot.core.values.command import Verb
from bot.core.values.github_refusal import read_refusal
from bot.core.values.ids import ChangeId, CommentId, IssueNumber, OrderId, PullNumber, Sha
from bot.core.values.repository import (
    Comment,
    CommitFacts,
    Pull,
    PullState,
    Role,
    Standing,
    WorkflowRun,
    WorkflowRunState,
)
from bot.core.values.rules import RepositoryRules
from bot.core.values.seen_check import SeenCheck
from bot.core.values.spec_model import Spec
from bot.shell.failure import NotPushed, outcome_of
from gates.result import Ending, GateDefinition, GateReport, GateResult, TestCounts
from tests.core.deeds import bundle_digest, deed, place
from tests.core.values import FACTS, GATES, PATH, START, beside, chain, sha

EVERYTHING = (Hint(kind=HintKind.EVERYTHING),)
_DEFAULTS = Policy(file=PolicyFile(), origins={})


class World:
    """A repository that Headgate was installed in, with nothing on it but a first commit."""

    def __init__(self, policy_text: str | None = GATES, *, main_is_known: bool = True) -> None:
        self.now: datetime = START
        # What GitHub says of the repository itself.
        self.standing = Standing(facts=FACTS)
        self.rules = RepositoryRules(branch="main")
        # Other Apps' checks of every candidate.
        self.checks: tuple[SeenCheck, ...] = ()
        self.policy_text = policy_text
        self.specs: dict[str, tuple[Spec, str]] = {}
        self.all_specs: dict[tuple[str, str], Spec] = {}
        self.comments: list[tuple[Comment, Role]] = []
        self.issues: dict[int, str] = {}
        self.pulls: dict[PullNumber, Pull] = {}
        self.snapshots: dict[PullNumber, PullSnapshot | None] = {}
        self.sizes: dict[IssueNumber, SizeSnapshot | None] = {}
        self.spec_issues: dict[IssueNumber, SpecIssueSnapshot | None] = {}
        self.work_issues: dict[IssueNumber, WorkIssueSnapshot | None] = {}
        self.orders: dict[OrderId, AgentOrder | GateOrder] = {}
        self.order_store: dict[OrderId, OrderEntry] = {}
        self.ended_runs: dict[OrderId, str] = {}
        self.check_runs: dict[str, CheckRunText] = {}
        self.posted: list[tuple[int, str]] = []
        self.bundles: dict[OrderId, str] = {}
        self.conflicts: list[bool] = []
        # The files in which a change's work does not merge, while they stand here.
        self.conflicting: dict[ChangeId, tuple[str, ...]] = {}
        self.archive_refusals: list[str] = []
        self.edited_blocks: dict[str, str] = {}
        self.register_text: str | None = None
        self.refusals: dict[str, str] = {}
        self.roles: dict[str, Role] = {}
        # What GitHub says to the push of an effect of a type, while it stands here.
        self.refused_by_github: dict[str, str] = {}
        # What branches of changes show, what of it is ours, and what became of people's pushes.
        self.branches: dict[str, Sha] = {}
        self.our_candidates: set[Sha] = set()
        self.kept: list[Sha] = []
        self.empty_pushes: set[Sha] = set()
        self.refused_pushes: set[Sha] = set()
        self.tests: list[Mention] = []
        # The tests that every gate with a JUnit report names as passed, and how many more passed.
        self.passing: list[str] = []
        self.passing_unnamed = 0
        # What every gate that does not pass prints.
        self.log = ""
        self.has_tests_of_candidates = True
        # What the second change for a requirement (by its short name) brings.
        self.when_landed: dict[str, Mention] = {}
        self.tests_commit: Sha | None = None
        # What a model answers (JSON) to a question, None: nothing; a world without one asks none.
        self.model: Callable[[AskModel], str | None] | None = None
        self.model_thinks = False
        self.journal: list[Event] = []
        self.intended: list[Effect] = []
        self._numbers = count(1)
        self.main: list[CommitFacts] = []
        self.push(sha("genesis"), tree=sha("genesis tree"))
        self.state = RepositoryState()
        self.write(
            (
                ev.RepositoryInstalled(
                    facts=FACTS, main=self.main[0].sha, tree=self.main[0].tree, known_specs={}
                ),
                *(_known_main(self.main[0].sha) if main_is_known else ()),
            )
        )

    def next_number(self) -> int:
        return next(self._numbers)

    def write(self, events: Iterable[Event]) -> None:
        """Append to the journal and fold."""
        new = tuple(events)
        self.journal += new
        self.state = fold(new, self.state)

    def push(
        self, commit: Sha, *paths: str, tree: Sha | None = None, author: str = "ann"
    ) -> CommitFacts:
        """Put a commit on main."""
        parents = (self.main[-1].sha,) if self.main else ()
        made = CommitFacts(
            sha=commit,
            tree=tree or sha(f"tree of {commit}"),
            parents=parents,
            author=author,
            subject="A commit",
            committed_at=self.now,
            paths=paths,
        )
        self.main.append(made)
        return made

    def push_spec(self, spec: Spec, version: str = "v1", path: str = PATH) -> None:
        """Commit a spec as a person does."""
        blob = sha(f"{path} {version}")
        self.specs[path] = (spec, blob)
        self.all_specs[path, blob] = spec
        self.push(sha(f"spec {path} {version} {len(self.main)}"), path)

    def push_code(self, name: str) -> Sha:
        """Commit code to main past Headgate."""
        return self.push(sha(f"code {name}"), "src/by_hand.py").sha

    def push_branch(self, change: ChangeFacts, name: str) -> Sha:
        """A person pushes to the branch of a change."""
        pushed = sha(f"push {name}")
        self.branches[branch_of(change, self.state.spec_runs)] = pushed
        return pushed

    def say(
        self,
        issue: int,
        body: str,
        *,
        author: str = "ann",
        role: Role = Role.WRITE,
        is_person: bool = True,
        edited_at: datetime | None = None,
    ) -> CommentId:
        """Comment on an issue or pull, now."""
        comment = Comment(
            id=CommentId(700 + self.next_number()),
            issue=IssueNumber(issue),
            body=body,
            author=author,
            author_id=1,
            author_is_person=is_person,
            created_at=self.now.replace(microsecond=0),
            updated_at=(edited_at or self.now).replace(microsecond=0),
            html_url="",
        )
        self.comments.append((comment, role))
        return comment.id

    def close_pull(self, number: PullNumber, state: PullState = PullState.CLOSED) -> None:
        """Close a pull on GitHub."""
        self.pulls[number] = self.pulls[number].model_copy(update={"state": state})

    def merge_pull(self, number: PullNumber, head: Sha) -> None:
        """A person merges a pull that shows `head` on GitHub."""
        self.push(sha(f"merge of {head}"), "src/shop.py", author="ada")
        self.pulls[number] = self.pulls[number].model_copy(
            update={
                "state": PullState.MERGED,
                "head_sha": head,
                "merged_at": self.now,
                "merged_as": self.main[-1].sha,
                "merged_by": "ada",
            }
        )

    @property
    def policy(self) -> Policy | PolicyRefusal:
        return read_policy(self.policy_text)

    def observe(self, hints: tuple[Hint, ...] = EVERYTHING) -> Observed:
        """One look, at what the state and the hints ask about."""
        asked = looks(self.state, hints, self.now)
        standing = self.standing if asked.standing else None
        if standing.away if standing else self.state.away:
            good = read_good(GATES)
            return Observed(policy=good, last_good_policy=good, standing=standing)
        comments = {id_: self._comment(id_) for id_ in asked.comment_ids}
        since = asked.comments_since
        entries = {
            id_: self.order_store[id_] for id_ in asked.order_store if id_ in self.order_store
        }
        snapshot = self._sight() if asked.main else None
        wanted = set(changed_specs(self.state.spec_versions, snapshot)) if snapshot else set()
        for found in comments.values():
            for command in found.commands:
                if command.verb is Verb.RUN:
                    wanted.add(command.argument)
        policy = self.policy
        return Observed(
            policy=policy,
            policy_version=sha(self.policy_text or ""),
            last_good_policy=policy if isinstance(policy, Policy) else read_good(GATES),
            models=ServerModels(can_ask=self.model is not None),
            standing=standing,
            rules=self.rules if asked.rules or asks_for_rules(comments.values()) else None,
            main=snapshot,
            specs={
                id_: with_ids(self.all_specs[run.path, run.version], run.ids)
                for id_ in asked.spec_runs
                if (run := self.state.spec_runs[id_]).version
            },
            spec_versions={id_: self.state.spec_runs[id_].version for id_ in asked.spec_runs},
            edits={
                run.id: with_ids(self.all_specs[run.path, again.version], again.edit.ids)
                for run in self.state.spec_runs.values()
                if (again := run.replanning) is not None and again.edit is not None
            },
            readings={
                path: SpecReading(spec=spec, version=version, commit=self.main[-1].sha)
                for path, (spec, version) in self.specs.items()
                if path in wanted
            },
            hinted_comments=asked.hinted_comments,
            comments_by_id=comments,
            comments=tuple(c for c, _ in self.comments if since and c.created_at >= since),
            workflow_runs={id_: self._workflow_run(id_) for id_ in asked.workflow_runs},
            order_store=entries,
            checks=dict.fromkeys(asked.checks, self.checks),
            judged_tests={
                commit: TestSnapshot(commit=commit, mentions=self._tests().mentions)
                for commit in commits_with_passed_tests(self.state, entries.values())
                if self.has_tests_of_candidates
            },
            pulls={number: self.pulls.get(number) for number in asked.pulls},
            branches={
                branch: tip
                for branch, tip in self.branches.items()
                if asked.branches and tip not in self.our_candidates
            },
            tests=self._tests() if asked.tests else None,
            register_text=self.register_text if asked.registered_ids else None,
            work_issues={
                number: snapshot
                for number, snapshot in self.work_issues.items()
                if asked.all_spec_issues or number in asked.work_issues
            },
            presses=tuple(
                PressWithRole(press=press, role=self.roles.get(press.person, Role.WRITE))
                for press in asked.presses
            ),
            sizes={n: s for n, s in self.sizes.items() if asked.all_sizes},
            spec_issues=dict(self.spec_issues) if asked.all_spec_issues else {},
            pull_snapshots={
                number: snapshot
                for number, snapshot in self.snapshots.items()
                if asked.all_pulls or number in asked.spec_pulls
            },
        )

    def _tests(self) -> TestSnapshot:
        """What main's tests name."""
        tests = list(self.tests)
        for name, brought in self.when_landed.items():
            by = [c for c in self.state.changes.values() if c.landed and c.cycle]
            tests += [brought for c in by if f"shop#{name}" in c.planned.requirements]
        return TestSnapshot(commit=self.tests_commit or self.main[-1].sha, mentions=tuple(tests))

    def _sight(self) -> MainSnapshot:
        tip = self.main[-1]
        known = [at for at, commit in enumerate(self.main) if commit.sha == self.state.main]
        history = tuple(self.main[known[-1] + 1 :]) if known else None
        versions = {path: version for path, (_, version) in self.specs.items()}
        return MainSnapshot(sha=tip.sha, tree=tip.tree, history=history, specs=versions)

    def _comment(self, id_: CommentId) -> CommentWithRole:
        found = next(((c, role) for c, role in self.comments if c.id == id_), None)
        if found is None:
            return CommentWithRole(comment=None)
        comment, role = found
        commands = read_commands(comment.body) if comment.author_is_person else ()
        return CommentWithRole(comment=comment, commands=commands, role=role)

    def _workflow_run(self, id_: OrderId) -> WorkflowRun | None:
        run = self.state.orders[id_].workflow_run
        if run is None:
            return None
        conclusion = self.ended_runs.get(id_)
        return WorkflowRun(
            id=run,
            title=id_,
            state=WorkflowRunState.COMPLETED if conclusion else WorkflowRunState.IN_PROGRESS,
            conclusion=conclusion,
            html_url="https://github.test/run",
            created_at=self.now,
        )

    def decide(self, hints: tuple[Hint, ...] = EVERYTHING) -> tuple[Event, ...]:
        """Look and decide; what was decided is written down, and nothing is done."""
        events = decide(self.state, self.observe(hints), self.now)
        self.write(events)
        self.intended += [e.effect for e in events if isinstance(e, ev.EffectIntended)]
        return events

    def perform(self) -> None:
        """Do every open effect, in the order in which they were intended."""
        for key, effect in tuple(self.state.open_effects.items()):
            if not may_be_done(self.state.away, effect):
                continue
            if isinstance(effect, AskModel) and self.model_thinks:
                continue
            if (delay := self.state.delays.get(key)) is not None and delay.until > self.now:
                continue
            if (words := self.refused_by_github.get(effect.type)) is not None:
                refused = NotPushed(read_refusal(words))
                tries = delay.tries if delay else 0
                self.write((outcome_of(refused, key, tries, self.now),))
                continue
            if (sentence := self.refusals.get(effect.type)) is not None:
                if isinstance(effect, DispatchOrder):
                    place(self, effect)
                self.write((ev.EffectRefused(key=key, sentence=sentence),))
            else:
                self.write((*deed(self, effect), ev.EffectDone(key=key)))

    def tick(self, hints: tuple[Hint, ...] = EVERYTHING) -> tuple[Event, ...]:
        """One look, one decision, its deeds."""
        events = self.decide(hints)
        self.perform()
        return events

    def settle(self, ticks_max: int = 40) -> None:
        """Tick until nothing more is decided."""
        for _ in range(ticks_max):
            written = len(self.journal)
            self.tick()
            if len(self.journal) == written:
                return
        raise AssertionError(f"never settles: {[e.type for e in self.tick()]}")

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def open_orders(self, kind: type[AgentOrder] | type[GateOrder]) -> list[OrderId]:
        """Orders of a kind that no report has come for, oldest first."""
        return [
            id_
            for id_, order in self.orders.items()
            if isinstance(order, kind) and id_ in self.state.open_orders
        ]

    def agent_order(self, id_: OrderId | None = None) -> AgentOrder:
        """An agent order; the oldest open one unless it is named."""
        order = self.orders[id_ or self.open_orders(AgentOrder)[0]]
        assert isinstance(order, AgentOrder)
        return order

    def gate_order(self, id_: OrderId | None = None) -> GateOrder:
        """A gate order; the oldest open one unless it is named."""
        order = self.orders[id_ or self.open_orders(GateOrder)[0]]
        assert isinstance(order, GateOrder)
        return order

    def agent_order_of(self, requirement: str) -> OrderId:
        """The open agent order of the change that carries a requirement."""
        change = self.change(requirement).id
        return next(
            o for o in self.open_orders(AgentOrder) if self.state.orders[o].change == change
        )

    def lease(self, order: OrderId, seconds: float = 45) -> None:
        """A runner takes an order."""
        self.order_store[order] = self.order_store[order].model_copy(
            update={"leased_at": self.now, "lease_until": self.now + timedelta(seconds=seconds)}
        )

    def hand_in(
        self, order: OrderId, ending: AgentEnding = AgentEnding.FINISHED, sentence: str = ""
    ) -> None:
        """An agent run ends, with work only where it finished."""
        if ending is AgentEnding.FINISHED:
            self.leave_work(order, ending, sentence)
            return
        self._report(order, _agent_report(order, ending, sentence))

    def leave_work(
        self, order: OrderId, ending: AgentEnding, sentence: str, left_out: tuple[str, ...] = ()
    ) -> None:
        """An agent run ends with work, however it ended."""
        work = {"head_sha": sha(order), "bundle_sha256": bundle_digest(self, order)}
        report = _agent_report(order, ending, sentence).model_copy(update=work)
        self._report(order, report.model_copy(update={"left_out": left_out}))

    def ask(
        self,
        order: OrderId,
        *questions: AgentQuestion,
        tokens: int = 100,
        cache_read: int = 0,
        has_work: bool = True,
    ) -> None:
        """An agent run ends with questions, and with half of its work unless it has none."""
        report = AgentReport(
            order_id=order,
            ending=AgentEnding.ASKED,
            sentence="The agent has a question for people.",
            head_sha=sha(order) if has_work else None,
            bundle_sha256=bundle_digest(self, order) if has_work else None,
            model="m1",
            turns=2,
            tokens=TokenUse(input=tokens, cache_read=cache_read),
            questions=questions,
        )
        self._report(order, report)

    def judge(self, order: OrderId, failed: tuple[str, ...] = (), **endings: Ending) -> None:
        """Gates end: every gate that is not named passes; `failed` are the tests of those named."""
        asked = self.gate_order(order)
        results = tuple(
            GateResult(
                gate=g.name,
                judges=g.judges,
                ending=endings.get(g.name, Ending.PASSED),
                sentence=f"{g.name} said so",
                failed_tests=failed if g.name in endings else (),
                tests=self._counts(g, failed if g.name in endings else ()),
                passed_tests=tuple(self.passing) if g.junit else (),
                log_tail=self.log if g.name in endings else "",
            )
            for g in asked.gates
        )
        report = GateReport(
            candidate_sha=asked.candidate_sha,
            tree_sha="",
            definition_hash=asked.definition_hash,
            results=results,
        )
        self._report(order, GateOrderReport(order_id=order, sentence="Judged.", report=report))

    def _counts(self, gate: GateDefinition, failed: tuple[str, ...]) -> TestCounts | None:
        passed = len(self.passing) + self.passing_unnamed if gate.junit else 0
        return TestCounts(passed=passed, failed=len(failed)) if failed or gate.junit else None

    def judge_nothing(self, order: OrderId) -> None:
        """A gate order comes back without a single gate having been started."""
        self._report(order, GateOrderReport(order_id=order, sentence="No checkout."))

    def defer(
        self,
        order: OrderId,
        obstacle: Obstacle,
        sentence: str = "It is not there.",
        *,
        retry_after: float | None = None,
        turns: int = 0,
        has_work: bool = False,
    ) -> None:
        """An order of either kind ends because something stands in its way."""
        if isinstance(self.orders[order], GateOrder):
            gates = GateOrderReport(order_id=order, sentence=sentence, obstacle=obstacle)
            self._report(order, gates)
            return
        report = AgentReport(
            order_id=order,
            ending=AgentEnding.DEFERRED,
            sentence=sentence,
            obstacle=obstacle,
            retry_after_seconds=retry_after,
            model=self.agent_order(order).agent.model,
            turns=turns,
            tokens=TokenUse(input=100 * turns),
            head_sha=sha(order) if has_work else None,
            bundle_sha256=bundle_digest(self, order) if has_work else None,
        )
        self._report(order, report)

    def judge_without_programs(
        self, order: OrderId, *gates: str, failed: tuple[str, ...] = ()
    ) -> None:
        """Gates end: those that are named were not found (exit code 127), the others ran."""
        asked = self.gate_order(order)
        results = tuple(
            GateResult(
                gate=g.name,
                judges=g.judges,
                ending=Ending.COULD_NOT_RUN
                if g.name in gates
                else (Ending.FAILED if g.name in failed else Ending.PASSED),
                sentence=f"{g.name} said so",
                exit_code=127 if g.name in gates else 0,
            )
            for g in asked.gates
        )
        report = GateReport(
            candidate_sha=asked.candidate_sha,
            tree_sha="",
            definition_hash=asked.definition_hash,
            results=results,
        )
        self._report(order, GateOrderReport(order_id=order, sentence="Judged.", report=report))

    def _report(self, order: OrderId, report: AgentReport | GateOrderReport) -> None:
        if self.order_store[order].leased_at is None:
            self.lease(order)
        self.order_store[order] = self.order_store[order].model_copy(
            update={"report": report, "report_digest": sha(report.model_dump_json())}
        )

    def work(self, until: Callable[["World"], bool] | None = None) -> None:
        """Settle, let every runner succeed, and so on until nothing is left to do."""
        for _ in range(60):
            self.settle()
            if until is not None and until(self):
                return
            agents, gates = self.open_orders(AgentOrder), self.open_orders(GateOrder)
            if not agents and not gates:
                return
            for order in agents:
                self.hand_in(order)
            for order in gates:
                self.judge(order)
            self.pass_time(1)
        raise AssertionError("work never ends")

    @property
    def run(self) -> SpecRun:
        """The newest spec run."""
        return list(self.state.spec_runs.values())[-1]

    def change(self, requirement: str) -> ChangeFacts:
        """The change that carries a requirement, by the requirement's short name."""
        return next(
            c
            for c in self.state.changes.values()
            if f"shop#{requirement}" in c.planned.requirements and c.spec_run == self.run.id
        )

    def wrote(self, type_: str) -> list[Event]:
        """Every event of a type in the journal."""
        return [e for e in self.journal if e.type == type_]

    def replies(self) -> str:
        """All that was said in comments."""
        return "\n".join(text for _, text in self.posted)


def _agent_report(order: OrderId, ending: AgentEnding, sentence: str) -> AgentReport:
    return AgentReport(
        order_id=order,
        ending=ending,
        sentence=sentence,
        model="m1",
        turns=4,
        tokens=TokenUse(input=100, output=10),
    )


def _known_main(main: Sha) -> tuple[Event, ...]:
    """Main was judged."""
    return (
        ev.MainAsked(sha=main),
        ev.AdoptionJudged(sha=main, order=None, results=(), green=True, sentence=""),
    )


def read_good(text: str) -> Policy:
    read = read_policy(text)
    return read if isinstance(read, Policy) else _DEFAULTS


def proposed(spec: Spec | None = None, policy_text: str | None = GATES) -> World:
    """A world in which a plan waits for approval."""
    world = World(policy_text)
    world.push_spec(spec or chain())
    world.settle()
    world.pass_time(10)
    return world


def approved(spec: Spec | None = None, policy_text: str | None = GATES) -> World:
    """A world in which a plan has just been approved and its first work ordered."""
    world = proposed(spec, policy_text)
    assert world.run.issue is not None
    world.say(world.run.issue, "/headgate approve")
    world.settle()
    world.pass_time(10)
    return world


def judging() -> tuple[World, OrderId]:
    """A world with one change whose candidate is being judged, and the gate order."""
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world, world.open_orders(GateOrder)[0]
