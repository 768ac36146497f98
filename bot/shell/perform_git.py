"""Performs effects through git: import, candidates, starts, the ledger.

Every ref is moved from exactly the commit that is expected there. A commit is the same byte for byte
each time it is made from an effect, so performing one twice gives the same SHA and an empty push.
Nothing from a repository is ever run.
"""

import hashlib

from bot.core.journal import effects as ef
from bot.core.journal.candidate_facts import recipe_of
from bot.core.journal.events import (
    ArchiveRefused,
    BranchPushed,
    BundleRefused,
    CandidateBuilt,
    CandidateConflicted,
    Event,
    HeadImported,
    StartPrepared,
)
from bot.core.spec.archive.folding import DeltaConflict
from bot.core.spec.identity.register import digest_of_entries, is_register
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.spec.roots import paths_under
from bot.core.state.observed import Hint, HintKind
from bot.core.state.own_refs import candidate_ref, head_ref
from bot.core.talk.archive_text import delta_conflict_text
from bot.core.talk.bootstrap import first_policy, read_for_policy
from bot.core.talk.onboarding_text import OTHER_PLACES, misplaced, workflow_part
from bot.core.values.candidate import (
    BundleRefusal,
    BundleRules,
    MergeConflict,
    MergedTree,
    RefUpdate,
    RefusalCode,
)
from bot.core.values.github_refusal import RefusalKind
from bot.core.values.ids import PullNumber, Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Git, Retryable
from bot.shell.archiving import ARCHIVER_VERSION
from bot.shell.failure import NotPushed
from bot.shell.make_candidate import Made, make
from bot.shell.own_pushes import push_all, push_ours, recipe, with_mains_workflows
from bot.shell.perform_pushes import show
from bot.shell.perform_task import Task, published
from bot.shell.process_ports import Ports
from bot.shell.sign_commit import put_on_branch, sign
from bot.shell.steering import gates_beside, gates_raised, steering_of
from gates.profiles.plugins import all_profiles
from gates.profiles.profile import ProfileError

# An agent that resolves a conflict is shown at most this much of what main changed.
_DIFF_CHARACTERS_KEPT = 12_000


def import_bundle(task: Task[ef.ImportBundle]) -> tuple[Event, ...]:
    """Check a bundle in a throwaway repository; push our own commit of its tree as the head."""
    ports, facts, effect = task.ports, task.facts, task.effect
    bundle = ports.blobs.get(effect.bundle)
    if bundle is None:
        return (
            BundleRefused(
                change=effect.change,
                order=effect.order,
                code=RefusalCode.UNREADABLE,
                sentence="The bundle is not in the store: it was never uploaded, or is too old.",
                paths=(),
            ),
        )
    rules = BundleRules(
        start_sha=effect.start,
        protected=effect.protected,
        artefacts=effect.artefacts,
        only=effect.only,
    )
    imported = ports.git.import_bundle(facts, bundle, rules)
    if isinstance(imported, BundleRefusal):
        return (
            BundleRefused(
                change=effect.change,
                order=effect.order,
                code=imported.code,
                sentence=imported.sentence,
                paths=imported.paths,
            ),
        )
    tree = with_mains_workflows(ports, facts, imported.tree)
    made = recipe(facts, effect.at, tree, (effect.start,), effect.message)
    head = ports.git.commit(facts, made)
    push_ours(ports, facts, head_ref(effect.order), None, head)
    return (
        HeadImported(
            change=effect.change,
            order=effect.order,
            head=head,
            tree=tree,
            paths=imported.paths,
            refused_files=imported.refused.paths if imported.refused else (),
            sentence=imported.refused.sentence if imported.refused else "",
        ),
    )


def build_candidate(task: Task[ef.BuildCandidate]) -> tuple[Event, ...]:
    """Merge the head on the base, add the archive content, commit, and show it on the branch."""
    ports, facts, effect = task.ports, task.facts, task.effect
    made = make(ports.git, facts, recipe_of(effect))
    if not isinstance(made, Made) and is_main_elsewhere(ports, facts, effect.base):
        return build_again(ports, facts)
    if isinstance(made, MergeConflict):
        return (CandidateConflicted(change=effect.change, base=effect.base, files=made.files),)
    if isinstance(made, DeltaConflict):
        return (
            ArchiveRefused(
                change=effect.change,
                base=effect.base,
                sentence=delta_conflict_text(made),
                edited=made.edited,
            ),
        )
    try:
        sha = _show_candidate(task, made)
    except NotPushed as refused:
        return build_again_after(ports, facts, effect.base, refused)
    if isinstance(sha, BranchPushed):
        return (sha,)
    return (
        CandidateBuilt(
            change=effect.change,
            number=effect.number,
            base=effect.base,
            head=effect.head,
            sha=sha,
            tree=made.tree,
            diff_digest=diff_digest(ports, facts, effect.base, sha),
            built_at=effect.at,
            archive_date=made.archive.archive_date if made.archive else None,
            archiver_version=ARCHIVER_VERSION,
            finishes_archive=made.archive is not None and made.archive.finishes,
            archive_paths=made.archive_paths,
            register_digest=digest_of_entries(effect.register_entries),
            folder_version=made.archive.version if made.archive else "",
            steering=steering_of(ports, facts, effect, sha, made.archive_paths),
            beside=gates_beside(ports, facts, effect, sha),
            raised=gates_raised(ports, facts, effect, sha),
            is_signed=effect.is_signed,
        ),
    )


def _show_candidate(task: Task[ef.BuildCandidate], made: Made) -> Sha | BranchPushed:
    """Push the candidate to its ref and to the branch; the event where that has somebody's push."""
    ports, facts, effect = task.ports, task.facts, task.effect
    change = task.state.changes[effect.change]
    ref = candidate_ref(change, effect.number)
    before, sha = None, made.sha
    if effect.is_signed:
        before, sha = sign(ports, facts, ref, made.commit)
    window = RefUpdate(ref=Ref(f"refs/heads/{effect.branch}"), old=effect.shown, new=sha)
    theirs = show(ports, facts, change, RefUpdate(ref=ref, old=before, new=sha), window)
    return sha if theirs is None else theirs


def build_again(ports: Ports, facts: RepositoryFacts) -> tuple[Event, ...]:
    """Main has moved: look at it, so that the next candidate is built on the new tip."""
    ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))
    return ()


def build_again_after(
    ports: Ports, facts: RepositoryFacts, base: Sha, refused: NotPushed
) -> tuple[Event, ...]:
    """After a refusal of workflow files that main has changed since; any other is raised again."""
    is_for_workflows = refused.refusal.kind is RefusalKind.WORKFLOWS
    if not is_for_workflows or not is_main_elsewhere(ports, facts, base):
        raise refused
    return build_again(ports, facts)


def is_main_elsewhere(ports: Ports, facts: RepositoryFacts, base: Sha) -> bool:
    """Whether main has left `base`: then a conflict with `base` says nothing about main."""
    return ports.git.remote_ref(facts, facts.main_ref) not in {None, base}


def diff_digest(ports: Ports, facts: RepositoryFacts, base: Sha, sha: Sha) -> str:
    """A digest of what the candidate changes: each path with its new blob.

    Without the register: only we write it, and it goes with whichever change lands first.
    """
    paths = tuple(p for p in ports.git.changed_paths(facts, base, sha) if not is_register(p))
    blobs = ports.git.blobs(facts, sha, paths) if paths else {}
    text = "\n".join(f"{path} {blobs.get(path, 'gone')}" for path in sorted(paths))
    return hashlib.sha256(text.encode()).hexdigest()


def prepare_start(task: Task[ef.PrepareStart]) -> tuple[Event, ...]:
    """Merge the last attempt's head on `base`, conflict markers included, and push it."""
    ports, facts, effect = task.ports, task.facts, task.effect
    git = ports.git
    merged = git.merge(facts, effect.base, effect.head, effect.union)
    tree, remake = as_on_main(git, facts, merged, effect)
    conflicting = merged.files if isinstance(merged, MergeConflict) else ()
    files = tuple(file for file in conflicting if file not in remake)
    said = f"Start of attempt {effect.attempt} of {effect.change}\n"
    tree = with_mains_workflows(ports, facts, tree)
    start = git.commit(facts, recipe(facts, effect.at, tree, (effect.base,), said))
    push_ours(ports, facts, effect.ref, None, start)
    main_changed, work_changed = "", ""
    if files:
        main_changed = git.changed_since_fork(facts, effect.base, effect.head, files)
        work_changed = git.changed_since_fork(facts, effect.head, effect.base, files)
    return (
        StartPrepared(
            change=effect.change,
            attempt=effect.attempt,
            base=effect.base,
            start=start,
            conflicting_files=files,
            main_changed=main_changed[:_DIFF_CHARACTERS_KEPT],
            work_changed=work_changed[:_DIFF_CHARACTERS_KEPT],
            remake=remake,
        ),
    )


def as_on_main(
    git: Git, facts: RepositoryFacts, merged: MergedTree | MergeConflict, effect: ef.PrepareStart
) -> tuple[Sha, tuple[str, ...]]:
    """The merge's tree with the files that a command makes anew as on main, and which they are.

    A file that one side removed stays in conflict: nobody said that it should be there.
    """
    conflicting = merged.files if isinstance(merged, MergeConflict) else ()
    under = paths_under(conflicting, effect.remake)
    sides = [git.files(facts, side, under) for side in (effect.base, effect.head)]
    taken = {path: sides[0][path] for path in under if all(path in side for side in sides)}
    if not taken:
        return merged.tree, ()
    return git.edit_tree(facts, merged.tree, taken), tuple(taken)


def delete_refs(task: Task[ef.DeleteRefs]) -> tuple[Event, ...]:
    """Delete those of the named refs that exist, in one push; a branch with a person's push stays."""
    ports, facts, effect = task.ports, task.facts, task.effect
    there = ports.git.remote_refs(facts, ("refs/headgate/", "refs/heads/headgate/"))
    candidates = {sha for ref, sha in there.items() if ref.startswith("refs/headgate/")}
    pushed = {
        ref: BranchPushed(change=change, pushed=there[ref])
        for change, branches in effect.shown.items()
        for ref, sha in branches.items()
        if ref in there and there[ref] != sha and there[ref] not in candidates
    }
    deletions = tuple(
        RefUpdate(ref=ref, old=sha, new=None)
        for ref, sha in there.items()
        if ref not in pushed and (ref in effect.names or ref.startswith(effect.prefixes))
    )
    if deletions:
        push_all(ports, facts, *deletions)
    return (*pushed.values(), published(ports, effect.subject, f"{len(deletions)} refs"))


def offer_gates(task: Task[ef.OfferGates]) -> tuple[Event, ...]:
    """Push a first policy file on a branch of main and open a pull for it."""
    ports, facts, effect = task.ports, task.facts, task.effect
    branch = Ref(f"refs/heads/{effect.branch}")
    if ports.git.remote_ref(facts, branch) is None:
        text = _first_policy(ports, facts, effect.base)
        edited = ports.git.edit_tree(facts, effect.base, {POLICY_PATH: text.encode()})
        tree = with_mains_workflows(ports, facts, edited)
        made = recipe(facts, effect.at, tree, (effect.base,), f"{effect.title}\n")
        put_on_branch(ports, facts, task.state, branch, made)
    pull = ports.forge.pull_of_branch(facts, effect.branch)
    if pull is None:
        body = effect.body
        if not effect.spec_run:
            there = ports.git.blobs(facts, effect.base, tuple(ports.workflow_files))
            missing = {p: t for p, t in ports.workflow_files.items() if p not in there}
            wrong = misplaced(ports.git.blobs(facts, effect.base, OTHER_PLACES))
            parts = (wrong, body, workflow_part(facts, effect.branch, missing))
            body = "\n\n".join(part for part in parts if part)
        pull = ports.forge.open_pull(facts, effect.branch, effect.title, body)
    return (published(ports, effect.subject, f"pull {PullNumber(pull.number)}"),)


def _first_policy(ports: Ports, facts: RepositoryFacts, base: Sha) -> str:
    try:
        profiles = all_profiles()
        read = ports.git.files(facts, base, read_for_policy(profiles))
        texts = {path: raw.decode("utf-8", "replace") for path, raw in read.items()}
        return first_policy(set(ports.git.blobs(facts, base, ("",))), texts, profiles)
    except ProfileError as failure:
        # Whoever runs the server repairs the plugin; until then no policy is proposed.
        raise Retryable(failure.sentence) from failure
