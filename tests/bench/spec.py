"""`make bench-spec`: how long a spec takes to be understood, and whether that grows with its size.

Specs of 10, 100 and 1,000 kB in three formats are read, questioned, registered and digested as a
push of them would be. The best of a few runs is printed, in seconds of the processor, with the
ratio to a tenfold smaller one; 100 kB are to take less than 150 ms. Numbers are printed and never asserted.
"""

import argparse
from collections.abc import Callable
from itertools import count
from time import process_time

from rich.console import Console
from rich.table import Table

from bot.core.spec.read import read_spec
from bot.core.spec.register import Register, registered
from bot.core.spec.triage import ranked

KILOBYTES = (10, 100, 1_000)


def req_id(n: int) -> str:
    """One requirement with an author's id."""
    return (
        f"### REQ-AREA{n % 40}-{n:04}: Keep record {n}\nThe system SHALL keep record {n} of the "
        f"basket in `store/{n}.json` for {n % 90} days.\n\n#### Scenario: Record {n} is asked for\n"
        f"- **WHEN** somebody asks for record {n}\n- **THEN** it is shown within {n % 9} seconds\n\n"
    )


def openspec(n: int) -> str:
    """One block of an OpenSpec main spec."""
    return (
        f"### Requirement: Keep record {n}\nThe system SHALL keep record {n} of the basket.\n\n"
        f"#### Scenario: Record {n} is asked for\n- **WHEN** somebody asks for record {n}\n"
        f"- **THEN** it is shown\n\n"
    )


def prose(n: int) -> str:
    """One plain sentence of a list."""
    return (
        f"- The basket must keep record {n} for {n % 90} days after the last visit to shop {n}.\n"
    )


FORMS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "req-id": ("specs/shop/spec.md", "# Spec: A shop\n\n## Requirements\n\n", req_id),
    "openspec": ("openspec/specs/shop/spec.md", "# shop\n\n## Requirements\n\n", openspec),
    "prose": ("specs/notes.md", "# A shop\n\n## Requirements\n\n", prose),
}


def text_of(form: str, kilobytes: int) -> bytes:
    """A spec of a form and size."""
    _, head, one = FORMS[form]
    parts, size = [head], len(head)
    for n in count(1):
        size += len(one(n))
        if size > kilobytes * 1_000:
            break
        parts.append(one(n))
    return "".join(parts).encode()


def seconds_of(form: str, kilobytes: int, times: int) -> float:
    """The best of some runs, from bytes to findings in their order."""
    path, raw = FORMS[form][0], text_of(form, kilobytes)
    best = float("inf")
    for _ in range(times):
        started = process_time()
        ranked(read_spec(path, {path: raw}))
        best = min(best, process_time() - started)
    return best


def register_seconds(form: str, kilobytes: int) -> float:
    """Registering the same spec again after one requirement was put at its top."""
    path, raw = FORMS[form][0], text_of(form, kilobytes)
    before = registered(Register(), read_spec(path, {path: raw}), "c1").register
    _, head, one = FORMS[form]
    edited = read_spec(path, {path: raw.replace(head.encode(), f"{head}{one(9_999)}".encode(), 1)})
    started = process_time()
    registered(before, edited, "c2")
    return process_time() - started


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    asked = parser.parse_args()
    console = Console(highlight=False)
    table = Table("Form", *(f"{k:,} kB" for k in KILOBYTES), "x10", "x10", "ids of 100 kB")
    for form in FORMS:
        took = [seconds_of(form, k, 1 if k > 100 else asked.times) for k in KILOBYTES]
        table.add_row(
            form,
            *(f"{s * 1_000:.1f} ms" for s in took),
            f"{took[1] / took[0]:.1f}",
            f"{took[2] / took[1]:.1f}",
            f"{register_seconds(form, 100) * 1_000:.1f} ms",
        )
    console.print(table)
    console.print("100 kB are to take less than 150 ms; a ratio near 10 is linear.")


if __name__ == "__main__":
    main()
