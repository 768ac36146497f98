"""The difference between what people should see and what was published, as effects.

A text is created once, and edited only if its digest has changed. The texts are in `issues`,
`pull`, `checks`, `report` and `replies`.
"""

from collections.abc import Mapping

from bot.core.decide.decision import Decision
from bot.core.decide.people import show_questions, summarise_report
from bot.core.decide.people.check_runs import digest_of_check, publish_check
from bot.core.decide.people.replaced_checks import conclude_replaced
from bot.core.decide.people.show_gates import (
    acceptances,
    gates_so_far,
    given_up_gates,
    judged_gates,
)
from bot.core.decide.people.summarise_report import Posted
from bot.core.decide.specs.model_observations import notice, with_observations
from bot.core.journal.effects import (
    CloseIssue,
    ClosePull,
    DeleteRefs,
    EditComment,
    EditIssue,
    LinkBlockedBy,
    LinkSubIssue,
    OfferGates,
    OpenIssue,
    PostComment,
    PostCommitComment,
    PublishCheckRun,
    ReopenIssue,
)
from bot.core.journal.events import FailureReason, TextPublished
from bot.core.journal.evolve_forgotten import OPEN
from bot.core.journal.state import (
    Candidate,
    ChangeFacts,
    SpecRun,
    SpecRunState,
    branch_of,
    change_id,
)
from bot.core.plan.digest import planned_digest
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.candidates import is_being_judged
from bot.core.state.coverage import Coverage, coverage
from bot.core.state.off_main import was_moved_back
from bot.core.state.onboarding import OFFERED
from bot.core.state.own_refs import head_ref, ref_folders
from bot.core.state.rivals import Rival, rivals_of_all
from bot.core.state.steps_by_hand import due_steps
from bot.core.state.urgency import is_work_at_hand
from bot.core.state.waivers import failing
from bot.core.talk import checks, issues, replies
from bot.core.talk.archive_text import delta_conflict_comment
from bot.core.talk.bootstrap import OFFER_BRANCH, offer_body, offer_title
from bot.core.talk.manual_text import STEPS, steps_text
from bot.core.talk.now_text import now_text
from bot.core.talk.proof_text import proof_comment
from bot.core.talk.report import report
from bot.core.talk.spec_digest import added_to, spec_check
from bot.core.talk.text import digest_of
from bot.core.values.check_run import CheckRunText
from bot.core.values.ids import ChangeId, IssueNumber, Ref
from bot.core.values.lifecycle import ChangeState
from bot.core.values.spec_model import Spec


def next_steps(decision: Decision) -> None:
    _refusals(decision)
    _tell_of_a_red_main(decision)
    conclude_replaced(decision)
    # Asked once: many specs may edit the same.
    first = rivals_of_all(decision.state, None)
    for run in tuple(decision.state.spec_runs.values()):
        if not run.is_open and run.issue_closed:
            if was_moved_back(decision.state) and run.issue is not None:
                _tell_what_main_lost(decision, run, run.issue)
            continue
        spec = decision.spec_of(run)
        if run.is_open and spec is not None:
            _digest_on_main(decision, run, spec)
            _open(decision, run, spec)
        for change in decision.state.changes_of(run.id):
            # At once: a verdict is published under the policy that it was reached with.
            _verdicts(decision, change)
        if not is_work_at_hand(decision.state):
            _tell(decision, run, first)


def _refusals(decision: Decision) -> None:
    for path, refusal in decision.state.refusals.items():
        name = checks.POLICY_NAME if path == POLICY_PATH else checks.SPEC_NAME
        subject = f"{path}@{refusal.version[:12]}"
        text = checks.refusal(name, path, refusal.findings)
        publish_check(decision, refusal.commit, f"refused:{subject}", text)
        if f"commit-comment:{subject}" not in decision.state.published:
            decision.intend(
                PostCommitComment(
                    sha=refusal.commit,
                    subject=subject,
                    text=checks.finding_list(path, refusal.findings),
                )
            )


def _tell_of_a_red_main(decision: Decision) -> None:
    state = decision.state
    under = state.adoption_under(state.main) if state.main else None
    if under is None or under.green is not False:
        return
    text = replies.main_is_red(under, failing(under.results))
    for run in state.spec_runs.values():
        if run.is_open and run.issue is not None:
            decision.comment_once(run.issue, f"red main {run.id} {under.sha[:12]}", text)


def _digest_on_main(decision: Decision, run: SpecRun, spec: Spec) -> None:
    context = issues.digest_context(decision.state, decision.policy, run)
    if context is None or run.plan is None or run.state is not SpecRunState.PROPOSED:
        return
    by_rules = planned_digest(spec, run.plan)
    text = spec_check((by_rules,), context)
    rules = digest_of_check(text)
    # A check run keeps its annotations, so a changed text gets a new check run.
    external_id = f"spec:{run.id}:{rules}"
    published = decision.state.published.get(f"check:{external_id}")
    live = tuple(r for r in spec.requirements if r.id in run.requirements)
    noticed = notice(decision, run.id, context.sha, spec, live)
    told = by_rules if noticed.is_waiting else with_observations(by_rules, noticed)
    if published is None:
        publish_check(decision, context.sha, external_id, spec_check((told,), context))
    elif published == rules and told != by_rules:
        text = added_to(spec_check((told,), context), (told,))
        publish_check(decision, context.sha, external_id, text)


def _open(decision: Decision, run: SpecRun, spec: Spec) -> None:
    if run.issue is None:
        body = issues.tracking_body(decision.state, decision.policy, run)
        asked = issues.tracking_questions(decision.state, decision.policy, run)
        rules = issues.rules_text(decision.state, decision.policy, run)
        decision.intend(
            OpenIssue(
                spec_run=run.id,
                slug="",
                title=issues.tracking_title(run),
                body=body,
                marker=issues.tracking_marker(run),
                labels=("headgate:plan",),
                digests={
                    issues.NOW: digest_of(now_text(decision.state, decision.policy, run)),
                    issues.PLAN: digest_of(
                        issues.plan_region(decision.state, decision.policy, run)
                    ),
                    **({issues.QUESTIONS: digest_of(asked)} if asked else {}),
                    **({issues.RULES: digest_of(rules)} if rules else {}),
                    issues.PROGRESS: digest_of(
                        issues.progress_text(decision.state, run, _covered_by(decision, run))
                    ),
                },
                revision=run.plan.revision if run.plan else 0,
                intended_at=decision.now,
            )
        )
        return
    published = decision.state.published
    was_offered = OFFERED in published or "offer:gates" in published
    is_offered = any(isinstance(e, OfferGates) for e in decision.state.open_effects.values())
    if not decision.policy.required_gates and not was_offered and not is_offered:
        _offer_gates(decision, run)
    if run.state is SpecRunState.PROPOSED:
        # Until somebody approves it, the plan stands in the tracking issue alone.
        return
    for change in decision.state.changes_of(run.id):
        _open_change(decision, run, change, spec)


def _open_change(decision: Decision, run: SpecRun, change: ChangeFacts, spec: Spec) -> None:
    if change.issue is None:
        decision.intend(
            OpenIssue(
                spec_run=run.id,
                slug=change.slug,
                title=issues.change_title(change),
                body=issues.change_body(decision.state, run, change, spec),
                marker=issues.change_marker(change),
                labels=("headgate:change",),
                digests={issues.STATUS: digest_of(issues.status_text(decision.state, change))},
                revision=0,
                intended_at=decision.now,
            )
        )
        return
    if not change.is_sub_issue and run.issue is not None and change.issue_id is not None:
        decision.intend(
            LinkSubIssue(
                spec_run=run.id, slug=change.slug, parent=run.issue, child_id=change.issue_id
            )
        )
    for edge in change.planned.depends_on:
        blocker = decision.state.changes[change_id(run.id, edge.on)]
        if edge.on not in change.blocked_by_linked and blocker.issue_id is not None:
            decision.intend(
                LinkBlockedBy(
                    spec_run=run.id,
                    slug=change.slug,
                    on=edge.on,
                    issue=change.issue,
                    blocker_id=blocker.issue_id,
                )
            )


def _offer_gates(decision: Decision, run: SpecRun) -> None:
    if decision.state.main is not None:
        decision.intend(
            OfferGates(
                spec_run=run.id,
                base=decision.state.main,
                branch=OFFER_BRANCH,
                title=offer_title(),
                body=offer_body(run.issue),
                at=decision.now,
            )
        )


def _tell(decision: Decision, run: SpecRun, first: Mapping[ChangeId, tuple[Rival, ...]]) -> None:
    if run.issue is None:
        return
    for number in run.dropped_issues:
        decision.intend(
            CloseIssue(spec_run=run.id, slug="", issue=number, reason="not_planned", round=0)
        )
    for change in decision.state.changes_of(run.id):
        if change.issue is not None:
            _tell_change(decision, run, change)
    now = now_text(decision.state, decision.policy, run)
    decision.keep_region(run.issue, issues.NOW, now)
    rules = issues.rules_text(decision.state, decision.policy, run)
    if rules or f"issue:{run.issue}:{issues.RULES}" in decision.state.published:
        decision.keep_region(run.issue, issues.RULES, rules)
    shown = run.proposed_edit.plan if run.proposed_edit else run.plan
    revision = shown.revision if shown else 0
    text = issues.plan_region(decision.state, decision.policy, run)
    decision.keep_region(run.issue, issues.PLAN, text, revision)
    show_questions.of_spec(decision, run, run.issue)
    progress = issues.progress_text(decision.state, run, _covered_by(decision, run), first)
    decision.keep_region(run.issue, issues.PROGRESS, progress)
    show_questions.of_money(decision, run, run.issue)
    if run.is_open:
        if run.issue_closed:
            decision.intend(
                ReopenIssue(spec_run=run.id, slug="", issue=run.issue, round=run.issue_rounds)
            )
    else:
        _end(decision, run, run.issue)


def _end(decision: Decision, run: SpecRun, issue: IssueNumber) -> None:
    if run.issue_closed:
        return
    _forget(decision, run)
    subject, told = f"report {run.id}", f"report {run.id} {run.issue_rounds}"
    if told not in decision.state.published:
        # One comment for all rounds: what a retry changed is edited into it.
        coverage = _covered_by(decision, run)
        text = report(decision.state, decision.policy, run, coverage)
        decision.keep_comment(issue, subject, text)
        decision.emit(
            TextPublished(subject=told, digest=digest_of(text), published_at=decision.now)
        )
        summarise_report.ask(
            decision, run, coverage, Posted(issue=issue, subject=subject, text=text)
        )
        return
    if _is_being_told(decision, run):
        # Close the issue only after its open effects are done: they may carry an old text.
        return
    landed = all(
        c.landed is not None or decision.state.is_replaced(c)
        for c in decision.state.changes_of(run.id)
    )
    decision.intend(
        CloseIssue(
            spec_run=run.id,
            slug="",
            issue=issue,
            reason="completed" if landed else "not_planned",
            round=run.issue_rounds,
        )
    )


def _is_being_told(decision: Decision, run: SpecRun) -> bool:
    issues_of_run = {run.issue, *(c.issue for c in decision.state.changes_of(run.id))}
    return any(
        run.id in key if isinstance(e, PublishCheckRun) else e.issue in issues_of_run
        for key, e in decision.state.open_effects.items()
        if isinstance(e, PublishCheckRun | EditIssue | PostComment | EditComment)
    )


def _forget(decision: Decision, run: SpecRun) -> None:
    """Delete the refs of landed changes: their work is on main."""
    landed = [c for c in decision.state.changes_of(run.id) if c.landed is not None]
    effect = DeleteRefs(
        spec_run=run.id,
        round=run.issue_rounds,
        prefixes=tuple(prefix for c in landed for prefix in ref_folders(c)),
        names=tuple(
            ref
            for c in landed
            for ref in (
                Ref(f"refs/heads/{branch_of(c, decision.state.spec_runs)}"),
                *(head_ref(r.order) for r in c.agent_runs),
            )
        ),
        shown={
            c.id: {Ref(f"refs/heads/{branch_of(c, decision.state.spec_runs)}"): c.shown}
            for c in landed
            if c.shown is not None
        },
    )
    if landed and effect.subject not in decision.state.published:
        decision.intend(effect)


def _tell_what_main_lost(decision: Decision, run: SpecRun, issue: IssueNumber) -> None:
    """Correct an ended run's texts after a rewind of main took landed changes away, or brought them back."""
    if decision.state.main_seen_at is not None:
        # Main may still be moved back to where it was.
        return
    progress = issues.progress_text(decision.state, run, _covered_by(decision, run))
    decision.keep_region(issue, issues.PROGRESS, progress)
    for change in decision.state.changes_of(run.id):
        if change.issue is not None and change.landed is not None:
            status = issues.status_text(decision.state, change)
            decision.keep_region(change.issue, issues.STATUS, status)


def _tell_change(decision: Decision, run: SpecRun, change: ChangeFacts) -> None:
    if change.issue is None:
        return
    if change.delta_conflict:
        subject = f"misfit {change.id} {digest_of(change.delta_conflict)[:12]}"
        decision.comment_once(change.issue, subject, delta_conflict_comment(change.delta_conflict))
    if _is_news(change):
        decision.keep_region(
            change.issue, issues.STATUS, issues.status_text(decision.state, change)
        )
    if change.steps:
        decision.keep_region(change.issue, STEPS, steps_text(change))
    show_questions.of_agent(decision, change, change.issue)
    _verdicts(decision, change)
    _close_or_reopen(decision, run, change, change.issue)
    ended_unlanded = change.state in {ChangeState.FAILED, ChangeState.STOPPED}
    if ended_unlanded and change.pull is not None and not change.pull_closed:
        decision.intend(ClosePull(change=change.id, pull=change.pull))


def _is_news(change: ChangeFacts) -> bool:
    """Whether the change's issue needs an update since it was opened.

    A first attempt without problems is visible in its pull and in the tracking issue.
    """
    is_second_try = len(change.agent_runs) > 1 or change.retry is not None
    is_told_of = (
        bool(change.sentence or change.clarifications)
        or change.reopened > 0
        or change.orders_lost > 0
        or change.was_refused
        or any(run.left_out for run in change.agent_runs)
    )
    return change.is_ended or is_second_try or is_told_of


def _close_or_reopen(
    decision: Decision, run: SpecRun, change: ChangeFacts, issue: IssueNumber
) -> None:
    """Close the issue of a landed change, and every issue of a stopped run.

    The issue of a failed change stays open for a person.
    """
    is_over = change.landed is not None or run.state is SpecRunState.STOPPED
    is_over = (is_over or decision.state.is_replaced(change)) and not due_steps(change)
    if is_over and not change.issue_closed:
        decision.intend(
            CloseIssue(
                spec_run=run.id,
                slug=change.slug,
                issue=issue,
                reason="completed" if change.landed is not None else "not_planned",
                round=change.issue_rounds,
            )
        )
    elif not is_over and change.issue_closed and run.is_open:
        decision.intend(
            ReopenIssue(spec_run=run.id, slug=change.slug, issue=issue, round=change.issue_rounds)
        )


def _verdicts(decision: Decision, change: ChangeFacts) -> None:
    candidate = decision.state.candidate_of(change)
    if candidate is None:
        return
    external_id = f"{change.id}:{candidate.number}"
    published = decision.state.published.get(f"check:{external_id}")
    is_said = published is not None and not published.startswith(OPEN)
    if change.landed is not None and is_said:
        # A landed candidate was judged by the gates of that time.
        return
    if candidate.results:
        said = {
            external_id: checks.verdict_on_change(decision.policy_for(change), candidate.results)
        }
        said |= judged_gates(decision, candidate.results, external_id)
        _tell_proof(decision, change, candidate)
    elif is_being_judged(decision.state, change) and not is_work_at_hand(decision.state):
        said = gates_so_far(decision, change, external_id)
        said |= acceptances(decision, change, external_id)
    elif change.failure is FailureReason.STEERED:
        said = {external_id: checks.steered(change)}
    elif change.is_ended and f"check:{external_id}" in decision.state.published:
        said = {external_id: checks.given_up(change)}
        said |= given_up_gates(decision, change, external_id)
    else:
        return
    for id_, text in said.items():
        publish_check(decision, candidate.sha, id_, _of_change(decision, change, text))


def _tell_proof(decision: Decision, change: ChangeFacts, candidate: Candidate) -> None:
    """One comment of the pull, as the newest verdict has it."""
    text = proof_comment(candidate)
    if text and change.pull is not None:
        decision.keep_comment(IssueNumber(change.pull), f"proof {change.id}", text)


def _of_change(decision: Decision, change: ChangeFacts, text: CheckRunText) -> CheckRunText:
    return checks.of_change(text, decision.state.facts, change)


def _covered_by(decision: Decision, run: SpecRun) -> Coverage | None:
    """The current coverage of a run; None if nothing has landed or main was not observed."""
    spec = decision.spec_of(run)
    if spec is None or all(c.landed is None for c in decision.state.changes_of(run.id)):
        return None
    return coverage(decision.state, run, spec, decision.observed.tests)
