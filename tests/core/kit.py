"""A small world for `decide`: what it sees, what it asks for, and what would come of it.

Pure: time is a field, runners do what the test says, every effect succeeds at once unless the test
says otherwise. One `tick` is one look, one decision and its deeds; `settle` ticks until nothing
more is decided, and fails where that never comes.
"""

from collections.abc import Callable
from copy import copy
from datetime import timedelta
from functools import lru_cache
from itertools import count

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import decide
from bot.core.decide.specs.plan_new_spec import changed_specs
from bot.core.journal import events as ev
from bot.core.journal.effects import AskModel, DispatchOrder, Effect
from bot.core.journal.events import Event
from bot.core.spec.identity.register import with_ids
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.policy_file import PolicyFile
from bot.core.spec.triage.mentions import TestSnapshot
from bot.core.state.access import may_be_done
from bot.core.state.approvals import do_reviews_count
from bot.core.state.observed import (
    Hint,
    HintKind,
    Observed,
    PressWithRole,
    SpecReading,
    asks_for_rules,
    commits_with_passed_tests,
    looks,
)
from bot.core.state.unasked_pulls import is_automatic, may_enter
from bot.core.values.auto_queue import ApprovedPull
from bot.core.values.check_run import CheckRunText
from bot.core.values.command import BY_BASE_BRANCH, Verb
from bot.core.values.github_refusal import read_refusal
from bot.core.values.ids import ChangeId, IssueNumber, OrderId, PullNumber, Sha
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import (
    Role,
)
from bot.core.values.spec_model import Spec
from bot.core.values.steering import Steering
from bot.shell.failure import NotPushed, outcome_of
from gates.graded.chunks import ChangedFile
from tests.core.deeds import deed, place
from tests.core.reviews import Reviews
from tests.core.runners import PlayedRunners
from tests.core.values import FACTS, GATES, beside, chain, sha

EVERYTHING = (Hint(kind=HintKind.EVERYTHING),)
_DEFAULTS = Policy(file=PolicyFile(), origins={})


class World(PlayedRunners):
    """A repository that Headgate was installed in, with nothing on it but a first commit."""

    def __init__(self, policy_text: str | None = GATES, *, main_is_known: bool = True) -> None:
        super().__init__(policy_text)
        self.check_runs: dict[str, CheckRunText] = {}
        self.check_commits: dict[str, Sha] = {}
        self.posted: list[tuple[int, str]] = []
        self.conflicts: list[bool] = []
        # The files in which a change's work does not merge, while they stand here.
        self.conflicting: dict[ChangeId, tuple[str, ...]] = {}
        # The tree of a change's candidates, whatever they are built on.
        self.trees: dict[ChangeId, Sha] = {}
        # What a change's work edits of the files that steer its judgement.
        self.steering: dict[ChangeId, Steering] = {}
        # What every candidate touches.
        self.touched: tuple[str, ...] = ("src/shop.py",)
        # Whether the tests of what was judged are not all read yet.
        self.is_reading_tests = False
        self.archive_refusals: list[str] = []
        # Where a person's pull does not merge, and what it edits of the files that steer its judgement.
        self.pushed_before_merge: list[str] = []
        self.taken_out: list[str] = []
        self.pull_conflicts: dict[PullNumber, tuple[str, ...]] = {}
        self.pull_steering: dict[PullNumber, Steering] = {}
        # What a person's pull edits of what others are judged by, and the policy that it brings.
        self.pull_rules: dict[PullNumber, tuple[str, ...]] = {}
        self.pull_policies: dict[PullNumber, str] = {}
        self.edited_blocks: dict[str, str] = {}
        self.register_text: str | None = None
        self.refusals: dict[str, str] = {}
        # What GitHub says to the push of an effect of a type, while it stands here.
        self.refused_by_github: dict[str, str] = {}
        # The types of effects for which GitHub cannot be reached.
        self.unreachable: set[str] = set()
        # What a model answers (JSON) to a question, None: nothing; a world without one asks none.
        self.model: Callable[[AskModel], str | None] | None = None
        self.model_thinks = False
        # What every candidate changes, where a model reads it.
        self.diff: tuple[ChangedFile, ...] = ()
        self.intended: list[Effect] = []
        self.write(
            (
                ev.RepositoryInstalled(
                    facts=FACTS, main=self.main[0].sha, tree=self.main[0].tree, known_specs={}
                ),
                *(_known_main(self.main[0].sha) if main_is_known else ()),
            )
        )

    def copy(self) -> "World":
        """Another world with the same past; what becomes of the one is nothing to the other."""
        made = copy(self)
        vars(made).update({name: _separate(value) for name, value in vars(self).items()})
        return made

    def observe(self, hints: tuple[Hint, ...] = EVERYTHING) -> Observed:
        """One look, at what the state and the hints ask about."""
        asked = looks(self.state, hints, self.now)
        standing = self.standing if asked.standing else None
        if standing.away if standing else self.state.away:
            good = read_good(GATES)
            return Observed(
                policy=good, last_good_policy=good, standing=standing, rewound_to=asked.rewound_to
            )
        comments = {id_: self._comment(id_) for id_ in asked.comment_ids}
        since = asked.comments_since
        entries = {
            id_: entry.replace(is_waiting=entry.report is not None and self.is_reading_tests)
            for id_ in asked.order_store
            if (entry := self.order_store.get(id_)) is not None
        }
        snapshot = self._sight(self.main, self.state.main) if asked.main else None
        wanted = set(changed_specs(self.state.spec_versions, snapshot)) if snapshot else set()
        for found in comments.values():
            for command in found.commands:
                if command.verb is Verb.RUN:
                    wanted.add(command.argument)
        policy = self.policy
        pulls = {
            number: self.pulls.get(number)
            for number in (
                *asked.pulls,
                *self.queue_labels,
                *(
                    PullNumber(found.comment.issue)
                    for found in comments.values()
                    if found.comment is not None
                    and any(c.verb in BY_BASE_BRANCH for c in found.commands)
                ),
            )
        }
        approved = self._approved_pulls(policy) if asked.is_full else ()
        return Observed(
            policy=policy,
            policy_version=sha(self.policy_text or ""),
            last_good_policy=policy if isinstance(policy, Policy) else read_good(GATES),
            models=ServerModels(can_ask=self.model is not None),
            standing=standing,
            rewound_to=asked.rewound_to,
            rules=self.rules if asked.rules or asks_for_rules(comments.values()) else None,
            authors=dict.fromkeys(self.state.spec_runs, self.authors),
            main=snapshot,
            served=self._served(),
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
                if path in wanted and path not in self.left_for_later
            },
            hinted_comments=asked.hinted_comments,
            comments_by_id=comments,
            comments=tuple(c for c, _ in self.comments if since and c.created_at >= since),
            workflow_runs={id_: self._workflow_run(id_) for id_ in asked.workflow_runs},
            order_store=entries,
            checks=dict.fromkeys(asked.checks, self.checks),
            diffs={one.sha: self.diff for one in asked.diffs},
            judged_tests={
                commit: TestSnapshot(commit=commit, mentions=self._tests().mentions)
                for commit in commits_with_passed_tests(self.state, entries.values())
                if self.has_tests_of_candidates
            },
            pulls=pulls | {one.pull.number: one.pull for one in approved},
            queue_labels=dict(self.queue_labels) if asked.is_full else {},
            approved_pulls={one.pull.number: one for one in approved},
            approvals={
                number: self.approvals.get(number, Approvals())
                for number in pulls
                if isinstance(policy, Policy) and do_reviews_count(self.state, policy, number)
            }
            | {one.pull.number: one.approvals for one in approved},
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
                if asked.is_full or number in asked.work_issues
            },
            reviews=self.reviews.look(self.state, asked.reviews),
            presses=tuple(
                PressWithRole(press=press, role=self.roles.get(press.person, Role.WRITE))
                for press in asked.presses
            ),
            ticked={n: keys for n, keys in self.ticked.items() if n in asked.steps},
            sizes={n: s for n, s in self.sizes.items() if asked.is_full},
            spec_issues=dict(self.spec_issues) if asked.is_full else {},
            pull_snapshots={
                number: snapshot
                for number, snapshot in self.snapshots.items()
                if asked.is_full or number in asked.spec_pulls
            },
        )

    def _approved_pulls(self, policy: Policy | PolicyRefusal) -> tuple[ApprovedPull, ...]:
        """Open pulls that somebody approves."""
        if not isinstance(policy, Policy) or not is_automatic(policy, self.state.rules):
            return ()
        return tuple(
            ApprovedPull(
                pull=pull,
                approvals=approvals,
                by=next((by for by in reversed(approvals.by) if self._may_queue(policy, by)), ""),
                checks=self.checks,
            )
            for number, approvals in self.approvals.items()
            if (pull := self.pulls.get(number)) is not None and may_enter(self.state, policy, pull)
        )

    def _may_queue(self, policy: Policy, by: str) -> bool:
        return self.roles.get(by, Role.WRITE).covers(Role(policy.file.approver))

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
            if effect.type in self.unreachable:
                tries = delay.tries + 1 if delay else 1
                until = self.now + timedelta(minutes=1)
                late = ev.EffectDelayed(key=key, sentence="No answer.", until=until, tries=tries)
                self.write((late,))
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

    def wrote(self, type_: str) -> list[Event]:
        """Every event of a type in the journal."""
        return [e for e in self.journal if e.type == type_]

    def replies(self) -> str:
        """All that was said in comments."""
        return "\n".join(text for _, text in self.posted)


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
    return _proposed(spec or chain(), policy_text).copy()


# Hundreds of stories begin alike, and a beginning takes longer than most of what follows.
@lru_cache
def _proposed(spec: Spec, policy_text: str | None) -> World:
    world = World(policy_text)
    world.push_spec(spec)
    world.settle()
    world.pass_time(10)
    return world


def with_issues(world: World) -> World:
    """The world as an older release left it: changes had their issues before any approval."""
    for change in world.state.changes_of(world.run.id):
        number = IssueNumber(world.next_number())
        world.issues[number] = ""
        opened = ev.IssueOpened(
            spec_run=world.run.id, slug=change.slug, number=number, issue_id=1_000 + number
        )
        world.write((opened,))
    return world


def approved(spec: Spec | None = None, policy_text: str | None = GATES) -> World:
    """A world in which a plan has just been approved and its first work ordered."""
    return _approved(spec or chain(), policy_text).copy()


@lru_cache
def _approved(spec: Spec, policy_text: str | None) -> World:
    world = proposed(spec, policy_text)
    assert world.run.issue is not None
    world.say(world.run.issue, "/headgate approve")
    world.settle()
    world.pass_time(10)
    return world


def judging(policy_text: str = GATES) -> tuple[World, OrderId]:
    """A world with one change whose candidate is being judged, and the gate order."""
    world = approved(beside(1), policy_text)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world, world.open_orders(GateOrder)[0]


def _separate(value: object) -> object:
    """The value with lists, dictionaries and sets of its own; all else never changes."""
    match value:
        case list():
            return [_separate(one) for one in value]
        case dict():
            return {key: _separate(one) for key, one in value.items()}
        case set():
            return set(value)
        case Reviews():
            made = copy(value)
            vars(made).update({name: _separate(one) for name, one in vars(value).items()})
            return made
        case count():
            return copy(value)
        case _:
            return value
