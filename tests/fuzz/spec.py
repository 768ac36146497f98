"""`make fuzz-spec`: byte strings through every reader of specs and tests, without a crash or a hang.

Pieces of real formats are glued, cut, doubled and spoilt by a seeded generator, so that a failure
comes again from its seed. A text that takes longer than the bound counts as a hang. Numbers are
printed; the exit code says whether all went well.
"""

import argparse
import sys
from random import Random
from time import perf_counter

from rich.console import Console

from bot.core.spec.mentions import mentions_in
from bot.core.spec.read import read_spec
from bot.core.spec.register import Register, dump, load, registered
from tests.core.spec.test_any_text import PATHS, PIECES

TESTS = ("tests/test_a.py", "a.test.ts", "a_test.go", "a.feature", "tests/a.sh")
_PIECES_MAX = 24
# Short texts take well below a millisecond; a machine under load makes that many.
HANG_SECONDS = 2.0
_SEEN_EVERY = 10_000


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
    """Read the text of a seed in every way that a spec or test is read; the seconds that it took."""
    random, raw = Random(~seed), text_of(seed)
    path = random.choice(PATHS)
    started = perf_counter()
    spec = read_spec(path, {path: raw})
    registration = registered(Register(), spec, "c1")
    load(raw.decode("utf-8", "replace"))
    mentions_in(random.choice(TESTS), raw)
    seconds = perf_counter() - started
    if load(dump(registration.register))[0] != registration.register:
        raise AssertionError(f"seed {seed}: the register does not come back from its file")
    return seconds


def main() -> int:
    """Try as many seeds as were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    console = Console(highlight=False)
    slowest, started = (0.0, asked.seed), perf_counter()
    for seed in range(asked.seed, asked.seed + asked.texts):
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
            console.print(f"seed {seed}: {type(error).__name__}: {error}")
            return 1
        slowest = max(slowest, (seconds, seed))
        if seconds > HANG_SECONDS:
            console.print(f"seed {seed}: took {seconds:.1f} s")
            return 1
        if (seed - asked.seed + 1) % _SEEN_EVERY == 0:
            console.print(f"{seed - asked.seed + 1:,} texts, slowest {slowest[0] * 1_000:.1f} ms")
    spent = perf_counter() - started
    console.print(
        f"{asked.texts:,} texts in {spent:.0f} s without a crash or a hang; the slowest took "
        f"{slowest[0] * 1_000:.1f} ms (seed {slowest[1]})"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
