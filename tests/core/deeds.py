"""The events of a world in which every effect succeeds at once; some can be told to fail.

One case an effect, without git and GitHub: issues, pulls and the order store are dictionaries, main is a
list of commits. `tests/simulation` plays crashes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.journal import effects as ef, events as ev
from bot.core.journal.effects import Effect
from bot.core.journal.events import Event
from bot.core.spec.identity.register import digest_of_entries
from bot.core.spec.roots import paths_under
from bot.core.state.observed import OrderEntry
from bot.core.talk import queue_text, selftest_text
from bot.core.talk.text import digest_of
from bot.core.values.candidate import RefusalCode
from bot.core.values.ids import IssueNumber, OrderId, PullNumber, Sha, WorkflowRunId
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import Pull, PullState
from bot.core.values.steering import Steering
from tests.core.merges import merge_change, merge_persons
from tests.core.values import sha

if TYPE_CHECKING:
    from tests.core.kit import World


def deed(world: World, effect: Effect) -> tuple[Event, ...]:  # noqa: C901 - one case an effect
    """Do it in the world, and say what a perform would write, `EffectDone` left out."""
    match effect:
        case ef.OpenIssue():
            return _open_issue(world, effect)
        case ef.LinkSubIssue():
            return (ev.SubIssueLinked(spec_run=effect.spec_run, slug=effect.slug),)
        case ef.LinkBlockedBy():
            return (ev.BlockedByLinked(spec_run=effect.spec_run, slug=effect.slug, on=effect.on),)
        case ef.EditIssue():
            return (_published(world, effect.subject, effect.text_digest, effect.revision),)
        case ef.CloseIssue():
            return (
                ev.IssueClosed(spec_run=effect.spec_run, slug=effect.slug, number=effect.issue),
            )
        case ef.ReopenIssue():
            return (ev.IssueReopened(spec_run=effect.spec_run, slug=effect.slug),)
        case ef.PostComment():
            world.posted.append((int(effect.issue), effect.text))
            return (_published(world, effect.key, digest_of(effect.text)),)
        case ef.EditComment():
            world.posted.append((int(effect.issue), effect.text))
            return (_published(world, effect.published_as, effect.text_digest),)
        case ef.RunSelfTest():
            world.posted.append((int(effect.issue), selftest_text.no_end()))
            return ()
        case ef.PostCommitComment():
            world.posted.append((0, effect.text))
            return (_published(world, effect.key, "posted"),)
        case ef.TellOrder():
            world.told[effect.order] = effect.told
            return (_published(world, effect.subject, effect.text_digest),)
        case ef.React() | ef.ReactToReview() | ef.RevokeOrder() | ef.DeleteRefs():
            return (_published(world, effect.subject, "done"),)
        case ef.AnswerThread():
            return (world.reviews.answer(effect),)
        case ef.AskModel():
            return (_model_said(world, effect),)
        case ef.OpenPull():
            return _open_pull(world, effect)
        case ef.ClosePull():
            world.close_pull(effect.pull)
            return (ev.PullClosed(change=effect.change, number=effect.pull),)
        case ef.PublishCheckRun():
            world.check_runs[effect.external_id] = effect.text
            world.check_commits[effect.external_id] = effect.sha
            return (_published(world, effect.subject, effect.text_digest),)
        case ef.DispatchOrder():
            return _dispatch(world, effect)
        case ef.ImportBundle():
            return _import(effect)
        case ef.TakeOverPush():
            return (_taken_over(world, effect),)
        case ef.BuildCandidate():
            return _build(world, effect)
        case ef.PrepareStart():
            start = sha(f"start {effect.change} {effect.attempt} {effect.base}")
            files = world.conflicting.get(effect.change, ())
            remake = paths_under(files, effect.remake)
            files = tuple(file for file in files if file not in remake)
            return (
                ev.StartPrepared(
                    change=effect.change,
                    attempt=effect.attempt,
                    base=effect.base,
                    start=start,
                    conflicting_files=files,
                    main_changed="\n".join(files),
                    work_changed="\n".join(f"ours of {file}" for file in files),
                    remake=remake,
                ),
            )
        case ef.LandCandidate():
            return _land(world, effect)
        case ef.BuildPull():
            return (_build_pull(world, effect),)
        case ef.LandPull():
            return _land_pull(world, effect)
        case ef.ProposeSpec():
            return (
                ev.SpecProposed(
                    issue=effect.issue,
                    pull=PullNumber(900 + effect.round),
                    path=effect.path,
                    digest=effect.digest,
                    round=effect.round,
                    dialogue=effect.dialogue,
                ),
            )
        case ef.WithdrawSpec():
            return (ev.SpecWithdrawn(issue=effect.issue),)
        case ef.OfferGates():
            return (_published(world, effect.subject, "pull"),)
        case ef.DeleteRefs():
            return (_published(world, effect.subject, "refs"),)
        case ef.PublishLedger():
            lines = effect.first + len(effect.lines)
            of = effect.branch_of_queue
            made = sha(f"ledger {of} {lines}")
            return (ev.LedgerPublished(lines=lines, commit=made, branch_of_queue=of),)


def _published(world: World, subject: str, digest: str, revision: int = 0) -> ev.TextPublished:
    return ev.TextPublished(
        subject=subject, digest=digest, published_at=world.now, revision=revision
    )


def _model_said(world: World, effect: ef.AskModel) -> Event:
    """The answer of the world's model; one that has none says so."""
    place, prompt = effect.about.place, effect.prompt
    said = world.model(effect) if world.model is not None else None
    if said is None:
        return ev.ModelFailed(place=place, prompt=prompt, sentence="no key")
    return ev.ModelAnswered(place=place, prompt=prompt, answer=said)


def _open_issue(world: World, effect: ef.OpenIssue) -> tuple[Event, ...]:
    number = IssueNumber(world.next_number())
    world.issues[number] = effect.body
    opened = ev.IssueOpened(
        spec_run=effect.spec_run, slug=effect.slug, number=number, issue_id=1_000 + number
    )
    texts = (
        _published(world, f"issue:{number}:{region}", digest, effect.revision)
        for region, digest in effect.digests.items()
    )
    return (opened, *texts)


def _open_pull(world: World, effect: ef.OpenPull) -> tuple[Event, ...]:
    number = PullNumber(world.next_number())
    world.pulls[number] = Pull(
        number=number,
        state=PullState.OPEN,
        head_sha=sha("not looked at"),
        head_branch=effect.branch,
        base_branch=world.state.facts.default_branch if world.state.facts else "main",
        body=effect.body,
        html_url="",
    )
    return (ev.PullOpened(change=effect.change, number=number),)


def _dispatch(world: World, effect: ef.DispatchOrder) -> tuple[Event, ...]:
    run = WorkflowRunId(50_000 + world.next_number())
    id_ = place(world, effect)
    world.order_store[id_] = world.order_store[id_].model_copy(update={"workflow_run": run})
    ref = world.state.facts.main_ref if world.state.facts else ""
    return (ev.WorkflowDispatched(order=id_, workflow_run=run, dispatched_at=world.now, ref=ref),)


def place(world: World, effect: ef.DispatchOrder) -> OrderId:
    """Lay an order on the desk, which comes before its dispatch."""
    id_ = OrderId(effect.order.order_id)
    world.orders[id_] = effect.order
    world.order_store[id_] = OrderEntry(order=id_)
    return id_


def _import(effect: ef.ImportBundle) -> tuple[Event, ...]:
    if "refuse" in effect.bundle:
        return (
            ev.BundleRefused(
                change=effect.change,
                order=effect.order,
                code=RefusalCode.PROTECTED_PATH,
                sentence="It touches protected paths.",
                paths=(".github/x.yml",),
            ),
        )
    drops = "drop" in effect.bundle
    return (
        ev.HeadImported(
            change=effect.change,
            order=effect.order,
            head=sha(f"head {effect.order}"),
            tree=sha(f"head tree {effect.order}"),
            paths=("src/shop.py",),
            refused_files=(".github/x.yml",) if drops else (),
            sentence="`.github/x.yml` is protected; an agent may not change it." if drops else "",
        ),
    )


def _taken_over(world: World, effect: ef.TakeOverPush) -> Event:
    """What git would make of a push; the world may say that it is refused, or nothing of its own."""
    world.kept.append(effect.pushed)
    if effect.pushed in world.empty_pushes:
        return ev.PushPassedOver(change=effect.change, pushed=effect.pushed)
    if effect.pushed in world.refused_pushes:
        return ev.PushRefused(
            change=effect.change,
            pushed=effect.pushed,
            author="Ada <ada@example.com>",
            sentence="It changes files that the policy protects: specs/shop.md.",
        )
    return ev.HeadTakenOver(
        change=effect.change,
        pushed=effect.pushed,
        base=world.main[-1].sha,
        head=sha(f"head of {effect.pushed}"),
        tree=sha(f"head tree of {effect.pushed}"),
        paths=("src/shop.py",),
        authors=("Ada <ada@example.com>",),
    )


def _build(world: World, effect: ef.BuildCandidate) -> tuple[Event, ...]:
    if files := world.conflicting.get(effect.change):
        return (ev.CandidateConflicted(change=effect.change, base=effect.base, files=files),)
    if world.conflicts and world.conflicts.pop():
        return (
            ev.CandidateConflicted(change=effect.change, base=effect.base, files=("src/shop.py",)),
        )
    if world.archive_refusals:
        sentence = world.archive_refusals.pop()
        return (
            ev.ArchiveRefused(
                change=effect.change,
                base=effect.base,
                sentence=sentence,
                edited=world.edited_blocks,
            ),
        )
    there = world.branches.get(effect.branch)
    if there is not None and there != effect.shown and there not in world.our_candidates:
        return (ev.BranchPushed(change=effect.change, pushed=there),)
    made = f"{effect.change} {effect.base} {effect.head}"
    built = sha(f"candidate {made} {effect.number}")
    world.our_candidates.add(built)
    world.branches[effect.branch] = built
    return (
        ev.CandidateBuilt(
            change=effect.change,
            number=effect.number,
            base=effect.base,
            head=effect.head,
            sha=built,
            tree=world.trees.get(effect.change, sha(f"tree {made}")),
            diff_digest=f"diff {effect.head}",
            built_at=effect.at,
            archive_date=None,
            archiver_version=1,
            finishes_archive=effect.archive is not None and effect.archive.finishes,
            archive_paths=(),
            register_digest=digest_of_entries(effect.register_entries),
            folder_version=effect.archive.version if effect.archive else "",
            steering=world.steering.get(effect.change, Steering()),
            raised=tuple(
                gate
                for gate, paths in effect.required_for.items()
                if paths_under(world.touched, paths)
            ),
            beside=tuple(
                gate for gate, paths in effect.when.items() if not paths_under(world.touched, paths)
            ),
            is_signed=effect.is_signed,
        ),
    )


def _land(world: World, effect: ef.LandCandidate) -> tuple[Event, ...]:
    pull = world.pulls[effect.pull]
    if pull.state is not PullState.OPEN:
        aborted = ev.LandAborted(change=effect.change, sentence="Its pull is not open.")
        if pull.state is PullState.MERGED or world.main[-1].sha != effect.base:
            return (aborted,)
        return (ev.PullClosed(change=effect.change, number=effect.pull), aborted)
    if world.main[-1].sha != effect.base:
        return (ev.LandAborted(change=effect.change, sentence="main is elsewhere."),)
    seen, needed = world.approvals.get(effect.pull, Approvals()), effect.approvals_needed
    if needed is not None and (seen.against or len(seen.by) < needed):
        aborted = ev.LandAborted(change=effect.change, sentence="")
        return (aborted, ev.ChangeReviewed(change=effect.change, approvals=seen, needed=needed))
    if effect.merges or effect.queues:
        return merge_change(world, effect)
    world.push(Sha(effect.candidate), tree=effect.tree, author="headgate[bot]")
    world.pulls[effect.pull] = pull.model_copy(update={"state": PullState.MERGED})
    return (
        ev.Landed(
            change=effect.change,
            base=effect.base,
            sha=effect.candidate,
            tree=effect.tree,
            landed_at=world.now,
        ),
    )


def _build_pull(world: World, effect: ef.BuildPull) -> Event:
    """The merge of a pull's head; the world says where it conflicts."""
    if files := world.pull_conflicts.get(effect.number):
        said = queue_text.conflict(effect.branch_of_queue, effect.base, files)
        return ev.PullUnfit(
            number=effect.number,
            nth=effect.nth,
            base=effect.base,
            cause=ev.EvictionCause.CONFLICT,
            sentence=said,
        )
    made = f"merge {effect.base} {effect.head}"
    return ev.PullCandidateBuilt(
        number=effect.number,
        nth=effect.nth,
        base=effect.base,
        head=effect.head,
        sha=sha(made),
        tree=sha(f"tree {made}"),
        diff_digest=f"diff {effect.head}",
        built_at=effect.at,
        steering=world.pull_steering.get(effect.number, Steering()),
        is_signed=effect.is_signed,
        rules=world.pull_rules.get(effect.number, ()),
        policy_after=world.pull_policies.get(effect.number),
    )


def _land_pull(world: World, effect: ef.LandPull) -> tuple[Event, ...]:
    why = queue_text.why_out(
        world.pulls.get(effect.number), effect.branch_of_queue or "main", effect.head
    )
    if why:
        aborted = ev.PullLandAborted(number=effect.number, sentence=why)
        return (aborted, ev.PullWithdrawn(number=effect.number, by="", sentence=why))
    line = world.others.get(effect.branch_of_queue, world.main)
    if line[-1].sha != effect.base:
        return (ev.PullLandAborted(number=effect.number, sentence="main is elsewhere."),)
    approvals = world.approvals.get(effect.number, Approvals())
    if effect.approvals_needed is not None and (
        approvals.against or len(approvals.by) < effect.approvals_needed
    ):
        return (
            ev.PullLandAborted(number=effect.number, sentence=""),
            ev.PullReviewed(
                number=effect.number, approvals=approvals, needed=effect.approvals_needed
            ),
        )
    if effect.merges or effect.queues:
        return merge_persons(world, effect)
    if effect.branch_of_queue:
        branch, author = effect.branch_of_queue, "headgate[bot]"
        world.push_to(branch, effect.candidate, tree=effect.tree, author=author)
    else:
        world.push(effect.candidate, tree=effect.tree, author="headgate[bot]")
    landed = {"state": PullState.MERGED, "merged_as": effect.candidate}
    world.pulls[effect.number] = world.pulls[effect.number].model_copy(update=landed)
    return (
        ev.PullLanded(
            number=effect.number,
            base=effect.base,
            sha=effect.candidate,
            tree=effect.tree,
            landed_at=world.now,
        ),
    )
