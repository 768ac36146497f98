"""From a new spec version on main to a plan that a person can approve.

Each version is handled once. Pushes in quick succession are planned together when main has been
quiet for a while. A spec that cannot be planned is refused with file and line. An approved run
keeps its text to its end.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.core.decide.decision import Decision
from bot.core.decide.specs import plan_by_model
from bot.core.decide.specs.landed_requirements import tell_what_stays
from bot.core.decide.specs.plan_by_model import EarlierAnswers, PlanSource
from bot.core.decide.specs.register_ids import known_spec, read_back, register_spec, vanished
from bot.core.decide.specs.spec_edit import handle_edit
from bot.core.journal.events import (
    ChangeStopped,
    PolicyRead,
    PolicyRefused,
    QuestionsPut,
    SpecRefused,
    SpecRunOpened,
    SpecRunStopped,
    SpecsNoted,
)
from bot.core.journal.state import RepositoryState, SpecRun, SpecRunState, asked_at
from bot.core.plan.deterministic import plan
from bot.core.plan.put_off import left_out, nothing_planned
from bot.core.plan.readiness import blocking, is_draft, plan_findings, same_key, uncovered
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.spec.policy_file import POLICY_PATH, PlannerChoice
from bot.core.spec.triage.spec_questions import asked_of
from bot.core.state.observed import MainSnapshot, SpecReading
from bot.core.talk import disabled_features, replies
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.values.ids import SpecRunId
from bot.core.values.question import AskedQuestions, money_place
from bot.core.values.replacement import replace
from bot.core.values.spec_model import Spec


def next_steps(decision: Decision) -> None:
    """Record an unreadable policy, then handle every new spec version on main."""
    _note_policy(decision)
    snapshot = decision.observed.main
    if snapshot is None or not _is_main_quiet(decision):
        return
    read_back(decision)
    gone = vanished(decision, snapshot)
    readings = decision.observed.readings
    changed = changed_specs(decision.state.spec_versions, snapshot)
    # Until all are read: one of them may be what was removed, under another name.
    is_all_read = all(path in readings for path in changed if path in snapshot.specs)
    for path in changed:
        reading = readings.get(path)
        if path not in snapshot.specs:
            if is_all_read:
                _handle_removed_spec(decision, path)
        elif reading is not None:
            _handle_new_version(decision, path, reading, gone)
    if decision.state.main_seen_at is not None:
        decision.emit(SpecsNoted(versions={}, main_rested=True))


def is_unread(state: RepositoryState, policy: Policy, now: datetime) -> bool:
    """Whether main has been quiet since its last move, and its specs were not read since then."""
    return state.main_seen_at is not None and now >= state.main_seen_at + _quiet(policy)


def changed_specs(known: Mapping[str, str], snapshot: MainSnapshot) -> tuple[str, ...]:
    """The paths whose version on main was not handled yet, removed specs included."""
    changed = {p for p, version in snapshot.specs.items() if known.get(p, "") != version}
    vanished = {p for p, version in known.items() if version and p not in snapshot.specs}
    return tuple(sorted(changed | vanished))


def version_of(blobs: Mapping[str, str]) -> str:
    """One version for all files of a spec: the blob itself for one file, else a digest of all."""
    if len(blobs) == 1:
        return next(iter(blobs.values()))
    text = "\n".join(f"{path} {blob}" for path, blob in sorted(blobs.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _quiet(policy: Policy) -> timedelta:
    """How long main must be quiet before a pushed spec is planned."""
    return timedelta(seconds=policy.file.quiet_seconds)


def _is_main_quiet(decision: Decision) -> bool:
    return decision.state.main_seen_at is None or is_unread(
        decision.state, decision.policy, decision.now
    )


def _note_policy(decision: Decision) -> None:
    policy = decision.observed.policy
    known = decision.state.refusals.get(POLICY_PATH)
    if decision.state.main is None:
        return
    if not isinstance(policy, PolicyRefusal):
        is_known = (
            decision.state.policy_commit is not None
            and decision.state.policy_version == decision.observed.policy_version
            and decision.state.policy_landing is policy.file.landing
        )
        if not is_known or known is not None:
            decision.emit(
                PolicyRead(
                    version=decision.observed.policy_version,
                    commit=decision.state.main,
                    landing=policy.file.landing,
                )
            )
        return
    if known is None or known.version != decision.observed.policy_version:
        decision.emit(
            PolicyRefused(
                version=decision.observed.policy_version,
                commit=decision.state.main,
                findings=policy.findings,
            )
        )


def _open_run(decision: Decision, path: str) -> SpecRun | None:
    runs = [r for r in decision.state.spec_runs.values() if r.path == path and r.is_open]
    return runs[-1] if runs else None


def _handle_new_version(
    decision: Decision, path: str, reading: SpecReading, gone: tuple[str, ...]
) -> None:
    run = _open_run(decision, path)
    tell_what_stays(decision, path, reading)
    if run is not None and run.state is SpecRunState.RUNNING:
        if handle_edit(decision, run, reading, gone):
            put_questions(decision, path, (known_spec(decision, reading, gone).spec,))
        return
    decision.emit(SpecsNoted(versions={path: reading.version}))
    if not is_draft(reading.spec):
        _plan(decision, path, reading, gone)


def _handle_removed_spec(decision: Decision, path: str) -> None:
    """Withdraw the run of a removed spec; an approved run continues."""
    decision.emit(SpecsNoted(versions={path: ""}))
    run = _open_run(decision, path)
    if run is None or run.state is not SpecRunState.PROPOSED:
        return
    by = "the push that removed the spec"
    for change in decision.state.changes_of(run.id):
        decision.emit(ChangeStopped(change=change.id, stopped_by=by))
    decision.emit(SpecRunStopped(spec_run=run.id, stopped_by=by))


def open_on_request(decision: Decision, path: str) -> Reply:
    """Carry out `/headgate run PATH`: plan a spec on main, also one that was planned before."""
    reading = decision.observed.readings.get(path.rstrip("/"))
    if reading is None:
        return refuse(replies.no_spec_at(path, decision.policy.file.watch))
    path = reading.spec.path
    run = _open_run(decision, path)
    if run is not None and run.version == reading.version:
        return reply(replies.run_is_open(run))
    if run is not None and run.state is SpecRunState.RUNNING:
        return refuse(replies.run_is_under_way(run))
    if is_draft(reading.spec):
        return refuse(replies.draft_spec(path))
    known = known_spec(decision, reading).spec
    # Who asks for a spec of which nothing is planned means what is marked as done.
    is_put_off = not uncovered(decision.state.covered, known).requirements
    included = tuple(r.id for r in known.requirements) if is_put_off else ()
    if known.requirements and not uncovered(decision.state.covered, known, included).requirements:
        return reply(replies.all_covered(path))
    decision.emit(SpecsNoted(versions={path: reading.version}))
    if not _plan(decision, path, reading, (), included):
        refused = decision.state.refusals[path]
        first = refused.findings[0]
        return refuse(replies.spec_refused(path, first))
    return reply(replies.run_started(path))


def _plan(
    decision: Decision,
    path: str,
    reading: SpecReading,
    gone: tuple[str, ...],
    included: tuple[str, ...] = (),
) -> bool:
    """Open or revise the spec run of a path; False if the spec is refused. `included`: also if it is put off."""
    known = known_spec(decision, reading, gone)
    run = _open_run(decision, path)
    # What the plan of before had, a person may have included.
    included = (*included, *run.requirements) if run else included
    live = uncovered(decision.state.covered, known.spec, included)
    there = [one for one, version in decision.state.spec_versions.items() if version]
    blocks = blocking(known.spec) + same_key(path, decision.state.spec_keys, there)
    if not blocks and not live.requirements:
        _tell_that_nothing_is_planned(decision, reading, known.spec)
        return True
    revision = run.plan.revision + 1 if run is not None and run.plan is not None else 1
    # Also for planning by a model: what rules cannot plan (a circle in the spec), no model can.
    later = left_out(known.spec, {r.id for r in live.requirements}, decision.state.covered)
    proposal = plan(live, revision).replace(left_out=later)
    findings = blocks or plan_findings(path, live, proposal)
    if findings:
        decision.emit(
            SpecRefused(
                path=path, version=reading.version, commit=reading.commit, findings=findings
            )
        )
        return False
    register_spec(decision, reading, gone)
    if run is None:
        run_id = SpecRunId(f"{live.key}@{reading.version[:8]}")
        while run_id in decision.state.spec_runs or run_id in decision.state.retired:
            run_id = SpecRunId(f"{run_id}x")
        title = _title(live)
        decision.emit(
            SpecRunOpened(
                spec_run=run_id, path=path, key=live.key, title=title, opened_at=decision.now
            )
        )
    else:
        run_id = run.id
    source = PlanSource(
        version=reading.version,
        commit=reading.commit,
        requirements={r.id: r.text_hash for r in live.requirements},
        ids=known.ids,
        bases=reading.bases,
    )
    put_questions(decision, path, (known.spec,))
    if plan_by_model.is_for_model(decision):
        plan_by_model.begin(decision, run_id, source, live, EarlierAnswers.KEEP)
        return True
    wants_model = decision.policy.file.planner is PlannerChoice.MODEL
    reasons = (disabled_features.no_model_for_planner(),) if wants_model else ()
    plan_by_model.emit_plan(decision, run_id, source, proposal, reasons)
    return True


def _tell_that_nothing_is_planned(decision: Decision, reading: SpecReading, spec: Spec) -> None:
    told = nothing_planned(spec)
    # What has landed in part is told in its run.
    if told is None or any(r.id in decision.state.covered for r in spec.requirements):
        return
    decision.emit(
        SpecRefused(
            path=spec.path, version=reading.version, commit=reading.commit, findings=(told,)
        )
    )


def _title(spec: Spec) -> str:
    """The title of the only document, or a title made from the name of the folder."""
    titles = [d.title for d in spec.documents if d.title]
    if len(titles) == 1:
        return titles[0]
    name = spec.path.rstrip("/").rpartition("/")[2]
    return name.replace("-", " ").replace("_", " ").capitalize() if titles else spec.path


def put_questions(decision: Decision, place: str, specs: tuple[Spec, ...]) -> None:
    """Record the numbered questions of a place if they changed."""
    before = _after_money(decision.state, place)
    asked = asked_of(specs, before)
    if asked != before:
        decision.emit(QuestionsPut(place=place, questions=asked.questions, last=asked.last))


def _after_money(state: RepositoryState, place: str) -> AskedQuestions:
    """The questions of a place; a new one takes no number of a question about a run's budget."""
    before = asked_at(state, place)
    runs = (run.id for run in state.spec_runs.values() if run.path == place)
    last = max((asked_at(state, money_place(id_)).last for id_ in runs), default=0)
    return replace(before, last=max(before.last, last))
