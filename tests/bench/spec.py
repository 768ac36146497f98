"""`make bench-spec`: the time to read a spec, and whether it grows linearly with the size.

Specs of 10, 100 and 1,000 kB in every format are read, checked and planned. The best of a few runs is
printed in processor seconds, with the ratio to the size below; 100 kB should take at most 500 ms.
Numbers are printed and never asserted; that time grows with the text is `tests.core.spec.test_linear_time`.
"""

import argparse
from collections.abc import Callable
from itertools import count
from time import process_time

from rich.console import Console
from rich.table import Table

from bot.core.plan.deterministic import plan
from bot.core.spec.identity.register import Register, registered
from bot.core.spec.read import read_spec
from bot.core.spec.triage.triage import ranked

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


def long_prose(n: int) -> str:
    """A chapter of a feature in whole paragraphs, as people write who write no lists."""
    one = (
        f"Orders of kind {n} are listed by day, and a clerk can look each of them up quickly. The clerk "
        f"should see `orders/{n}.csv` within {n % 90} seconds. There is a button to print the list, and "
        "when a customer asks for a refund, the money needs to go back to the card. "
    )
    return f"## Orders of kind {n}\n\n{one * 3}\n\n"


def spec_kit(n: int) -> str:
    """One bullet of a long list, with an id and a dependency."""
    return (
        f"- **FR-{n:04}**: System MUST keep record {n} for guests, after FR-{max(n - 1, 1):04}.\n"
    )


def kiro(n: int) -> str:
    """One requirement of EARS criteria."""
    return (
        f"### Requirement {n}: Keep record {n}\n\n**User Story:** As a guest, I want record {n}, so "
        f"that I can come back.\n\n#### Acceptance Criteria\n\n1. WHEN a guest asks for record {n} "
        f"THE Shop SHALL show it\n2. IF there is no record {n} THEN THE Shop SHALL say so\n\n"
    )


def prd(n: int) -> str:
    """One row of a table."""
    return f"| FR-{n:04} | The shop must keep record {n} of a basket | Must |\n"


def gherkin(n: int) -> str:
    """One rule with a scenario."""
    return (
        f"  Rule: Record {n} is kept\n\n    Scenario: Record {n} is asked for\n      Given record {n}\n"
        f"      When somebody asks for it\n      Then it is shown\n\n"
    )


def delta(n: int) -> str:
    """One added block of an OpenSpec delta."""
    return openspec(n)


def rfc2119(n: int) -> str:
    """One numbered paragraph."""
    return f"{n}. Record {n} of a basket MUST be kept until its guest has come back to it.\n\n"


FORMS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "req-id": ("specs/shop/spec.md", "# Spec: A shop\n\n## Requirements\n\n", req_id),
    "openspec": ("openspec/specs/shop/spec.md", "# shop\n\n## Requirements\n\n", openspec),
    "delta": (
        "openspec/changes/shop/specs/shop/spec.md",
        "## ADDED Requirements\n\n",
        delta,
    ),
    "spec-kit": (
        "specs/001-shop/spec.md",
        "# Feature Specification: A shop\n\n## Requirements\n\n### Functional Requirements\n\n",
        spec_kit,
    ),
    "kiro": (
        ".kiro/specs/shop/requirements.md",
        "# Requirements Document\n\n## Introduction\n\nA shop.\n\n## Requirements\n\n",
        kiro,
    ),
    "prd": (
        "docs/prd.md",
        "# PRD: A shop\n\n## Functional Requirements\n\n| ID | Requirement | Priority |\n|---|---|---|\n",
        prd,
    ),
    "gherkin": ("features/shop.feature", "Feature: A shop\n\n", gherkin),
    "rfc2119": (
        "docs/protocol.md",
        '# A shop\n\nThe key words "MUST" and "MAY" are to be interpreted as described in RFC 2119.\n\n'
        "## Records\n\n",
        rfc2119,
    ),
    "prose": ("specs/notes.md", "# A shop\n\n## Requirements\n\n", prose),
    "long prose": ("specs/told.md", "# Feature: A shop\n\n", long_prose),
    "unread prose": ("specs/story.md", "# A shop\n\n", long_prose),
}


def text_of(form: str, kilobytes: int, first: int = 1) -> bytes:
    """A spec of a format and size; another first number gives another text."""
    _, head, one = FORMS[form]
    parts, size = [head], len(head)
    for n in count(first):
        size += len(one(n))
        if size > kilobytes * 1_000:
            break
        parts.append(one(n))
    return "".join(parts).encode()


def seconds_of(form: str, kilobytes: int, times: int) -> float:
    """The best of some runs, from bytes to findings and a plan; each run has a new text."""
    path, best = FORMS[form][0], float("inf")
    for run in range(times):
        raw = text_of(form, kilobytes, 1 + 20_000 * run)
        started = process_time()
        spec = read_spec(path, {path: raw})
        ranked(spec)
        plan(spec)
        best = min(best, process_time() - started)
    return best


def register_seconds(form: str, kilobytes: int) -> float:
    """The time to register a spec again after one requirement was added at its top."""
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
    console.print("100 kB are to take at most 500 ms; a ratio near 10 is linear.")


if __name__ == "__main__":
    main()
