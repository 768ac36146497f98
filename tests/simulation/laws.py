"""What must hold at the end, law by law, read from localhub and the journal.

Each law is a function that yields a sentence for each breach. A law looks at what people see, and at
the journal only for what people cannot see.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator

from bot.core.journal import events as ev
from bot.core.journal.branches import on
from bot.core.journal.evolve import evolve, fold
from bot.core.journal.state import LedgerKind, LedgerLine, RepositoryState, SpecRunState, branch_of
from bot.core.state.waiting import held_back_by
from bot.core.values.ids import RepositoryId
from bot.core.values.lifecycle import WITH_AGENT, ChangeState
from bot.ports import Record
from tests.testkit.house import House

_MARK = re.compile(r"<!-- headgate:.*? -->")


def broken_laws(story: House, abandoned: Collection[int] = (), agents_max: int = 3) -> list[str]:
    """Every breach. `abandoned` are workflow runs of crashed runners, which GitHub ends in time."""
    state, records = story.state, records_of(story)
    return [
        *_nothing_twice(story),
        *_main_is_accounted_for(story, state),
        *_main_is_gated(story, state),
        *(broken for name in state.branches for broken in _of_branch(story, on(state, name))),
        *_journal_is_sound(state, records),
        *_agents_are_few(records, agents_max),
        *_lost_work_is_not_used(records),
        *_no_push_is_lost(story, records),
        *_everything_ended(story, state, abandoned),
    ]


def left_open(state: RepositoryState) -> list[str]:
    """What has not ended and does not wait for a person."""
    found = [f"effect {key} is open" for key in state.open_effects]
    found += [f"order {o.id} is {o.state}" for o in state.orders.values() if o.is_open]
    for run in state.spec_runs.values():
        if run.state is SpecRunState.PROPOSED or run.proposed_edit is not None:
            # Waits for a person's approval.
            continue
        # A spec that was removed at once never had an issue.
        if run.is_open or (run.issue is not None and not run.issue_closed):
            found.append(f"spec run {run.id} is {run.state}, its issue not closed")
        for change in state.changes_of(run.id):
            if not change.is_ended and not held_back_by(state, change):
                found.append(f"change {change.id} is {change.state}")
    # Of what people pushed while main was judged, only the newest tip is judged.
    under = state.adoption_under(state.main) if state.main else None
    if under is not None and under.green is None:
        found.append(f"adopted {under.sha} is not judged")
    if state.ledger_published < len(state.ledger):
        found.append("the ledger is not published")
    return found


def records_of(story: House) -> tuple[Record, ...]:
    repository = story.hub.repository(story.full_name)
    return tuple(story.ports.journal.records(RepositoryId(repository.id), 0))


def _nothing_twice(story: House) -> Iterator[str]:
    """Law 3: a create is not repeated without a look."""
    repository = story.hub.repository(story.full_name)
    ours = [i for i in repository.issues.values() if i.app is not None]
    bodies = (_MARK.search(i.body or "") for i in ours if i.pull is None)
    yield from _doubled("issue", (found.group() for found in bodies if found))
    heads = (p.head_ref for i in ours if (p := i.pull) and i.state == "open")
    yield from _doubled("open pull", heads)
    opened = Counter(p.head_ref for i in ours if (p := i.pull))
    for change in story.state.changes.values():
        count = opened[branch_of(change, story.state.spec_runs)]
        if count != change.pull_rounds:
            yield f"{count} pulls of {change.id}, and the journal knows of {change.pull_rounds}"
    for issue in repository.issues.values():
        marks = (_MARK.match(c.body) for c in issue.comments if c.app is not None)
        yield from _doubled(f"comment on #{issue.number}", (m.group() for m in marks if m))
        for comment in issue.comments:
            eyes = (f"{comment.id} {r.user.login} {r.content}" for r in comment.reactions)
            yield from _doubled("reaction", eyes)
    # A conclusion never changes on GitHub: what says something else is a new check run.
    checks = (
        f"{run.suite.head_sha[:8]} {run.external_id} {run.conclusion}"
        for run in repository.check_runs.values()
        if run.suite.app.slug == "headgate"
    )
    yield from _doubled("check run", checks)
    yield from _doubled("workflow run", (str(run["display_title"]) for run in workflow_runs(story)))


def _doubled(what: str, names: Iterator[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} {name} is there {count} times"


def workflow_runs(story: House) -> list[dict[str, object]]:
    """Every workflow run of the repository, newest first."""
    found: list[dict[str, object]] = []
    while True:
        page = len(found) // 100 + 1
        answer = story.api("GET", story.repo(f"/actions/runs?per_page=100&page={page}"))
        runs = answer.json()["workflow_runs"]
        found += runs
        if len(runs) < 100:
            return found


def first_parents(story: House, branch: str = "") -> list[str]:
    """The first-parent line of a branch, main's unless it is named, oldest first."""
    repository = story.hub.repository(story.full_name)
    name = branch or repository.default_branch
    arguments = ("rev-list", "--first-parent", "--reverse", name)
    return story.git(repository.git.folder, *arguments).splitlines()


def _of_branch(story: House, state: RepositoryState) -> Iterator[str]:
    """What holds of main, for a further branch, the ledger of which begins where it was first seen."""
    yield from _main_is_accounted_for(story, state)
    yield from _main_is_gated(story, state)


def _main_is_accounted_for(story: House, state: RepositoryState) -> Iterator[str]:
    """Law 10: each first-parent commit has its line in the ledger, which is published."""
    line = [str(entry.sha) for entry in _since_rewound(state)]
    main = first_parents(story, state.on_branch)
    if state.on_branch and line[0] in main:
        main = main[main.index(line[0]) :]
    # Commits before a rewind have earlier lines.
    whole = line if len(_since_rewound(state)) == len(state.ledger) else main[: -len(line)] + line
    if whole != main:
        yield f"the ledger has {whole}, main has {main}"
    git = story.hub.repository(story.full_name).git
    ref = f"ledgers/{state.on_branch}" if state.on_branch else "ledger"
    text = story.git(git.folder, "show", f"refs/headgate/{ref}:ledger.jsonl")
    if [json.loads(entry)["sha"] for entry in text.splitlines()] != [e.sha for e in state.ledger]:
        yield "the published ledger is not the journal's"


def _since_rewound(state: RepositoryState) -> tuple[LedgerLine, ...]:
    """The ledger's lines since main began or was last moved back."""
    begins = max(n for n, line in enumerate(state.ledger) if line.previous is None)
    return state.ledger[begins:]


def _main_is_gated(story: House, state: RepositoryState) -> Iterator[str]:
    """Laws 4, 6 and 8: each landed commit passed its gates, on exactly the main before it."""
    git = story.hub.repository(story.full_name).git
    line = first_parents(story, state.on_branch)
    for entry in _since_rewound(state):
        if entry.kind is not LedgerKind.LANDED:
            continue
        commit = git.commit(entry.sha)
        if "broken" in story.git(git.folder, "ls-tree", "--name-only", entry.sha).splitlines():
            yield f"{entry.sha} landed, and its gate fails"
        below, *merged = commit.parents
        if below != line[line.index(entry.sha) - 1]:
            yield f"{entry.sha} does not stand on what was main"
        # A person's pull is a merge, so that GitHub shows it merged; a change is one commit.
        if len(merged) != (entry.pull is not None):
            yield f"{entry.sha} merges {len(merged)} heads"
        if not entry.gates:
            yield f"{entry.sha} landed without gates"
        if story.check_runs(entry.sha).get("headgate/verdict") != "success":
            yield f"{entry.sha} landed, and shows no green verdict"
    landed = Counter(
        str(line.change or line.pull) for line in state.ledger if line.change or line.pull
    )
    yield from (f"{what} landed {n} times" for what, n in landed.items() if n > 1)


def _journal_is_sound(state: RepositoryState, records: tuple[Record, ...]) -> Iterator[str]:
    """The state equals the fold of the whole journal; each intended effect has one outcome."""
    if fold(r.event for r in records) != state:
        yield "folding the journal again gives another state"
    if [r.number for r in records] != list(range(1, len(records) + 1)):
        yield "the journal has gaps"
    keys = [r.event.effect.key for r in records if isinstance(r.event, ev.EffectIntended)]
    ends = [r.event.key for r in records if isinstance(r.event, ev.EffectDone | ev.EffectRefused)]
    if Counter(keys) != Counter(ends):
        yield f"effects and outcomes differ: {(Counter(keys) - Counter(ends))}"


def _agents_are_few(records: tuple[Record, ...], agents_max: int) -> Iterator[str]:
    """Never more agents at once than the policy allows."""
    state = RepositoryState()
    for record in records:
        state = evolve(state, record.event)
        busy = [c.id for c in state.changes.values() if c.state in WITH_AGENT]
        if len(busy) > agents_max:
            yield f"{len(busy)} agents at once after event {record.number}"
            return


def _lost_work_is_not_used(records: tuple[Record, ...]) -> Iterator[str]:
    """The late report of a lost order is kept and not used."""
    lost: set[str] = set()
    for record in records:
        match record.event:
            case ev.AgentLost() | ev.GatesLost():
                lost.add(record.event.order)
            case ev.WorkHandedIn() | ev.HeadImported() | ev.CandidatePassed():
                if record.event.order in lost:
                    yield f"{record.event.type} of order {record.event.order}, which was given up"
            case _:
                pass


def _no_push_is_lost(story: House, records: tuple[Record, ...]) -> Iterator[str]:
    """What a person pushed on top of a candidate, to its branch, is in some ref for ever."""
    folder = story.hub.repository(story.full_name).git.folder
    shown = {str(r.event.sha) for r in records if isinstance(r.event, ev.CandidateBuilt)}
    # What stands on a landed candidate was pushed to main, which people may rewind.
    shown -= {str(r.event.sha) for r in records if isinstance(r.event, ev.Landed)}
    objects = story.git(folder, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    commits = [line.split()[0] for line in objects if line.split()[1] == "commit"]
    kept = set(story.git(folder, "rev-list", "--all").splitlines())
    for line in story.git(folder, "log", "--no-walk", "--format=%H %P", *commits).splitlines():
        # A merge is GitHub's test of a pull, or the start of an attempt.
        sha, *parents = line.split()
        if len(parents) == 1 and sha not in kept | shown and parents[0] in shown:
            yield f"a push of {sha} to a change's branch is lost"


def _everything_ended(
    story: House, state: RepositoryState, abandoned: Collection[int]
) -> Iterator[str]:
    """Law 12: everything ended, with a reason that a person can read."""
    yield from left_open(state)
    repository = story.hub.repository(story.full_name)
    for change in state.changes.values():
        if change.state in {ChangeState.FAILED, ChangeState.STOPPED} and not change.sentence:
            yield f"{change.id} is {change.state} without a reason"
        if change.landed and change.issue and repository.issues[change.issue].state == "open":
            yield f"{change.id} landed, and its issue is open"
        if change.is_ended and change.pull and repository.issues[change.pull].state == "open":
            yield f"{change.id} is {change.state}, and its pull is open"
    for run in workflow_runs(story):
        if run["status"] != "completed" and run["id"] not in abandoned:
            yield f"workflow run {run['display_title']} is {run['status']}"
