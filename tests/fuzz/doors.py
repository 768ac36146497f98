"""`make fuzz`: whatever comes from outside, spoilt: deliveries, comments, specs, orders, reports, bundles.

Each seed is one input of one kind, made from a good one or from pieces, so that a failure comes again
from its seed. Only the refusals that a reader is meant to give may come; what takes longer than the
bound counts as a hang, and the memory of the process is bounded.
"""

import argparse
import copy
import functools
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from multiprocessing import Pool
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from pydantic import TypeAdapter, ValidationError

from action.order import AgentOrder, GateOrder, Heartbeat, LeaseGrant, LeaseRequest, Order
from action.report import AgentEnding, AgentReport, GateOrderReport, Report
from bot.adapters.git.bundles import import_bundle
from bot.adapters.git.inspection import parse_header
from bot.adapters.git.process import GitProgram
from bot.core.spec.policy import read_policy
from bot.core.spec.read import read_spec
from bot.core.state.webhook import read_delivery
from bot.core.talk.commands import read_answers, read_commands
from bot.core.values.candidate import BundleRules
from bot.core.values.ids import Sha
from gates.result import GateReport
from tests.core.spec.test_any_text import PATHS
from tests.fuzz.spec import text_of

HANG_SECONDS = 2.0
MEMORY_BYTES = 1024**3
# git is asked for one bundle of so many; the others are read as far as their header.
_WHOLE_BUNDLES = 100
_CHUNK = 500

_FOLDER = tempfile.TemporaryDirectory(prefix="headgate-fuzz-")
_ORDER: TypeAdapter[AgentOrder | GateOrder] = TypeAdapter(Order)
_REPORT: TypeAdapter[AgentReport | GateOrderReport] = TypeAdapter(Report)
_GATES = TypeAdapter(GateReport)

_EVENTS = (
    *("push", "issues", "issue_comment", "pull_request", "check_run", "workflow_run"),
    *("installation", "installation_repositories", "repository", "ping", "no_such_event"),
)
_DELIVERY = {
    "action": "created",
    "ref": "refs/heads/main",
    "before": "0" * 40,
    "after": "1" * 40,
    "repository": {"id": 1, "full_name": "team/shop", "default_branch": "main"},
    "installation": {"id": 7, "account": {"login": "team", "id": 3}},
    "repositories": [{"id": 1, "full_name": "team/shop"}],
    "issue": {"number": 4, "labels": [{"name": "headgate"}]},
    "comment": {"id": 5, "body": "/headgate approve", "user": {"login": "ada", "id": 9}},
    "pull_request": {"number": 6, "head": {"sha": "2" * 40, "repo": None}, "base": {"ref": "main"}},
    "check_run": {"id": 8, "name": "headgate", "app": {"id": 1}, "external_id": "x"},
    "workflow_run": {"id": 10, "status": "completed", "conclusion": "success"},
    "sender": {"login": "ada", "type": "User", "id": 9},
}
_AGENT_ORDER = {
    **{"kind": "agent", "order_id": "o", "repository": "team/shop", "clone_url": "https://x/y"},
    **{"base_sha": "0" * 40, "start_sha": "0" * 40, "start_ref": "refs/heads/main"},
    **{"change": "add", "title": "Add", "attempt": 1, "requirements": [], "setup": []},
    "agent": {"kind": "builtin"},
    "sandbox_allow": ["user-namespaces"],
}
_REPORTS = (
    AgentReport(order_id="o", ending=AgentEnding.FINISHED, sentence="Done.").model_dump(
        mode="json"
    ),
    GateOrderReport(order_id="o", sentence="1 of 1").model_dump(mode="json"),
)
_NASTY: tuple[object, ...] = (
    *(None, True, -1, 0, 10**400, 1e308, "", "\x00", "\ud800", "\u202e", "x" * 3_000),
    *([], {}, [[[[[[]]]]]], {"": {"": {}}}, "${{ }}", "../../x", "<!-- headgate -->"),
)


def spoilt(random: Random, sample: object) -> bytes:
    """A sample as JSON, with some values replaced, dropped or doubled, and some bytes spoilt."""
    tree = copy.deepcopy(sample)
    for _ in range(random.randrange(6)):
        _spoil(random, tree)
    raw = bytearray(json.dumps(tree).encode())
    if random.random() < 0.3:
        for _ in range(random.randrange(1, 4)):
            raw[random.randrange(len(raw))] = random.randrange(256)
    if random.random() < 0.1:
        return b"[" * random.randrange(20_000)
    return bytes(raw[: random.randrange(len(raw))] if random.random() < 0.1 else raw)


def _spoil(random: Random, tree: object) -> None:
    while isinstance(tree, dict | list) and tree:
        key = random.choice([*tree] if isinstance(tree, dict) else range(len(tree)))
        below = tree[key]
        if not isinstance(below, dict | list) or not below or random.random() < 0.4:
            if random.random() < 0.2:
                del tree[key]
            else:
                tree[key] = copy.deepcopy(random.choice(_NASTY))
            return
        tree = below


def _delivery(random: Random, _seed: int) -> None:
    read_delivery(random.choice(_EVENTS), spoilt(random, _DELIVERY))


def _comment(_random: Random, seed: int) -> None:
    text = text_of(seed).decode("utf-8", "replace")
    read_commands(f"/headgate {text}\n{text}\n/headgate answer 1 {text}")
    read_answers(text, frozenset({1, 2}))


def _spec(random: Random, seed: int) -> None:
    path = random.choice(PATHS)
    read_spec(path, {path: text_of(seed)})


def _policy(_random: Random, seed: int) -> None:
    read_policy(text_of(seed).decode("utf-8", "replace"))


def _order(random: Random, _seed: int) -> None:
    raw = spoilt(random, _AGENT_ORDER)
    for read in (
        _ORDER.validate_json,
        LeaseGrant.model_validate_json,
        LeaseRequest.model_validate_json,
        Heartbeat.model_validate_json,
    ):
        _refused_or(lambda read=read: read(raw))  # type: ignore[misc]


def _report(random: Random, _seed: int) -> None:
    raw = spoilt(random, random.choice(_REPORTS))
    _refused_or(lambda: _REPORT.validate_json(raw))
    _refused_or(lambda: _GATES.validate_json(raw))


def _refused_or(read: Callable[[], object]) -> None:
    try:
        read()
    except ValidationError as refused:
        str(refused)


def _bundle(random: Random, seed: int) -> None:
    git, mirror, start, good = _bundled()
    raw = bytearray(good)
    for _ in range(random.randrange(5)):
        raw[random.randrange(len(raw))] = random.randrange(256)
    if random.random() < 0.2:
        del raw[random.randrange(len(raw)) :]
    parse_header(bytes(raw))
    if seed // len(KINDS) % _WHOLE_BUNDLES == 0:
        import_bundle(git, mirror, bytes(raw), BundleRules(start_sha=Sha(start), protected=()))


@functools.cache
def _bundled() -> tuple[GitProgram, Path, str, bytes]:
    """A mirror with one commit, and a good bundle on it; each process has its own."""
    folder = Path(_FOLDER.name) / str(os.getpid())
    folder.mkdir()

    def git(*arguments: str) -> str:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        done = subprocess.run(
            ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-q", "-b", "main", ".")
    git("commit", "-q", "--allow-empty", "-m", "base")
    base = git("rev-parse", "HEAD")
    git("clone", "-q", "--bare", ".", "mirror.git")
    (folder / "file").write_text("text\n")
    git("add", "file")
    git("commit", "-q", "-m", "work")
    git("branch", "headgate")
    git("bundle", "create", "-q", "b", f"{base}..headgate")
    program = GitProgram(folder, ("file",))
    return program, folder / "mirror.git", base, (folder / "b").read_bytes()


KINDS: Mapping[str, Callable[[Random, int], None]] = {
    "deliveries": _delivery,
    "comments": _comment,
    "specs": _spec,
    "policies": _policy,
    "orders": _order,
    "reports": _report,
    "bundles": _bundle,
}


def try_one(seed: int) -> tuple[str, float]:
    """Its kind, and the seconds of the processor that it took; raises what a reader raises."""
    kind = [*KINDS][seed % len(KINDS)]
    started = process_time()
    KINDS[kind](Random(seed), seed)
    return kind, process_time() - started


def try_many(seeds: range) -> tuple[str, float, int]:
    """The first fault (empty: none), the slowest time, and its seed."""
    slowest = (0.0, seeds.start)
    before = _at_first()
    for seed in seeds:
        try:
            kind, seconds = try_one(seed)
        except Exception as error:  # noqa: BLE001 - a crash of any kind is what is looked for
            said = f"seed {seed} ({[*KINDS][seed % len(KINDS)]}): {type(error).__name__}: {error}"
            return said[:2_000], *slowest
        slowest = max(slowest, (seconds, seed))
        if seconds > HANG_SECONDS:
            return f"seed {seed} ({kind}): took {seconds:.1f} s", *slowest
    taken = _peak() - before
    if taken > MEMORY_BYTES:
        return f"seeds {seeds}: {taken // 1024**2} MiB of memory", *slowest
    return "", *slowest


@functools.cache
def _at_first() -> int:
    """Begin the peak anew, once: what is in use already is of other tests, and does not count.

    The bytes in use. 0 where the system does not let a process do that: then all of its life counts.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return 0
    return _peak()


def _peak() -> int:
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    (kibibytes,) = re.findall(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
    return int(kibibytes) * 1024


def main() -> int:
    """Try as many seeds as were asked for, and print where they begin."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=Random().randrange(10**9))
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.write(f"{asked.count:,} inputs of {len(KINDS)} kinds from --seed {asked.seed}\n")
    slowest, started = (0.0, asked.seed), perf_counter()
    end = asked.seed + asked.count
    chunks = [range(n, min(n + _CHUNK, end)) for n in range(asked.seed, end, _CHUNK)]
    with Pool(asked.processes) as pool:
        for fault, seconds, seed in pool.imap(try_many, chunks):
            if fault:
                sys.stdout.write(f"{fault}\n")
                return 1
            slowest = max(slowest, (seconds, seed))
    sys.stdout.write(
        f"no crash, no hang in {perf_counter() - started:.0f} s; the slowest took "
        f"{slowest[0] * 1_000:.0f} ms (seed {slowest[1]})\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
