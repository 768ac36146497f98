"""`make fuzz-spec`: byte strings through every reader of specs and tests, without a crash or a hang.

Pieces of real formats are glued, cut, doubled and spoilt by a seeded generator, so that a failure
comes again from its seed. A text that takes longer than the bound counts as a hang. Numbers are
printed; the exit code says whether all went well. Stopped and started again with the same
`--resume`, it goes on where it was.
"""

import argparse
import sys
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from rich.console import Console

from bot.core.spec.identity.register import Register, dump, load, registered
from bot.core.spec.read import read_spec
from bot.core.spec.triage.mentions import mentions_in
from tests.core.spec.test_any_text import PATHS, PIECES

TESTS = ("tests/test_a.py", "a.test.ts", "a_test.go", "a.feature", "tests/a.sh")
_PIECES_MAX = 24
# Short texts take some milliseconds of the processor.
HANG_SECONDS = 2.0
_SEEN_EVERY = 10_000
_CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of some seeds: the slowest (seconds, seed), and what went wrong, if anything."""

    seeds: range
    slowest: tuple[float, int]
    fault: str = ""


def text_of(seed: int) -> bytes:
    """The byte string of a seed."""
    random = Random(seed)
    parts = []
    for _ in range(random.randrange(_PIECES_MAX)):
        kind = random.randrange(5)
        if kind < 3:
            parts.append(random.choice(PIECES).encode("utf-8", "surrogatepass"))
        elif kind == 3:
            parts.append(random.randbytes(random.randrange(12)))
        elif parts:
            parts.append(random.choice(parts) * random.randrange(1, 4))
    whole = bytearray(b"".join(parts))
    for _ in range(random.randrange(3)):
        if whole:
            whole[random.randrange(len(whole))] = random.randrange(256)
    return bytes(whole[: random.randrange(len(whole) + 1)] if random.random() < 0.3 else whole)


def try_one(seed: int) -> float:
    """Read the text of a seed as specs and tests are read; the seconds of the processor it took."""
    random, raw = Random(~seed), text_of(seed)
    path = random.choice(PATHS)
    started = process_time()
    spec = read_spec(path, {path: raw})
    registration = registered(Register(), spec, "c1")
    load(raw.decode("utf-8", "replace"))
    mentions_in(random.choice(TESTS), raw)
    seconds = process_time() - started
    if load(dump(registration.register))[0] != registration.register:
        raise AssertionError(f"seed {seed}: the register does not come back from its file")
    return seconds


def try_many(seeds: range) -> Outcome:
    """Try seeds in their order, up to the first that fails."""
    slowest = (0.0, seeds.start)
    for seed in seeds:
        try:
            seconds = try_one(seed)
        except (
            ArithmeticError,
            AssertionError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            return Outcome(seeds, slowest, f"seed {seed}: {type(error).__name__}: {error}")
        slowest = max(slowest, (seconds, seed))
        if seconds > HANG_SECONDS:
            return Outcome(seeds, slowest, f"seed {seed}: took {seconds:.1f} s")
    return Outcome(seeds, slowest)


def main() -> int:
    """Try as many seeds as were asked for; those that a file says were tried are not tried again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="file that keeps the seed to go on with")
    asked = parser.parse_args()
    console = Console(highlight=False)
    first, end = max(asked.seed, _kept(asked.resume)), asked.seed + asked.texts
    slowest, started = (0.0, first), perf_counter()
    chunks = [range(n, min(n + _CHUNK, end)) for n in range(first, end, _CHUNK)]
    with Pool(asked.processes) as pool:
        for outcome in pool.imap(try_many, chunks):
            if outcome.fault:
                console.print(outcome.fault)
                return 1
            slowest = max(slowest, outcome.slowest)
            if asked.resume:
                asked.resume.write_text(f"{outcome.seeds.stop}\n")
            if outcome.seeds.stop % _SEEN_EVERY == 0:
                done = outcome.seeds.stop - asked.seed
                console.print(f"{done:,} texts, slowest {slowest[0] * 1_000:.1f} ms")
    spent = perf_counter() - started
    console.print(
        f"{end - first:,} texts in {spent:.0f} s without a crash or a hang; the slowest took "
        f"{slowest[0] * 1_000:.1f} ms (seed {slowest[1]})"
    )
    return 0


def _kept(resume: Path | None) -> int:
    return int(resume.read_text()) if resume and resume.exists() else 0


if __name__ == "__main__":
    sys.exit(main())
