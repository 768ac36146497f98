"""`make precision`: what part of each rule's findings a reader of real specs found worth telling.

`judged.tsv` names every finding in public files (repository, path, rule, line) and whether a reader
who had the file before them found it useful; files of which nothing is told have a row with `-`. The
texts are not kept. `FOLDER=…` holds them as `OWNER+NAME/PATH`; then what is told today is compared with
the rows, and a finding that nobody has judged, or that is no longer told, is printed.
"""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.core.spec.read import read_document

JUDGED = Path(__file__).with_name("judged.tsv")
# A rule of which less is useful is not told at all; fewer findings than this say nothing of a rule.
USEFUL_SHARE = 0.4
FINDINGS_MIN = 5


@dataclass(frozen=True)
class Judged:
    """One finding in a file of somebody else; `rule` is `-` where a file has none."""

    repository: str
    path: str
    rule: str
    line: int
    is_useful: bool


def judged() -> list[Judged]:
    rows = [line.split("\t") for line in JUDGED.read_text().splitlines() if line[:1] != "#"]
    return [Judged(r[0], r[1], r[2], int(r[3]), r[4] == "yes") for r in rows]


def differences(folder: Path, rows: list[Judged]) -> Iterator[str]:
    """What is told of the texts below `folder` and is not judged, or the other way round."""
    for repository, path in sorted({(r.repository, r.path) for r in rows}):
        place = folder / repository.replace("/", "+") / path
        if not place.is_file():
            yield f"{repository} {path}: the text is not there"
            continue
        findings = read_document(path, place.read_bytes()).findings
        told = {(f.code, f.line) for f in findings if f.code != "more_questions"}
        known = {
            (r.rule, r.line)
            for r in rows
            if (r.repository, r.path) == (repository, path) and r.rule != "-"
        }
        for rule, line in sorted(told - known):
            yield f"{repository} {path}:{line}: {rule} is told and not judged"
        for rule, line in sorted(known - told):
            yield f"{repository} {path}:{line}: {rule} is judged and no longer told"


def shares(rows: list[Judged]) -> dict[str, tuple[int, int]]:
    """For each rule how many of its findings are told, and how many of them are useful."""
    told = Counter(r.rule for r in rows if r.rule != "-")
    useful = Counter(r.rule for r in rows if r.is_useful)
    return {rule: (told[rule], useful[rule]) for rule in sorted(told)}


def main() -> int:
    rows = judged()
    table = Table("Rule", "Told", "Useful", "Precision")
    for rule, (told, useful) in shares(rows).items():
        table.add_row(rule, str(told), str(useful), f"{useful / told:.0%}")
    console = Console()
    console.print(table)
    files = {(r.repository, r.path) for r in rows}
    console.print(f"{len(files)} files of {len({r.repository for r in rows})} repositories")
    folder = os.environ.get("HEADGATE_PRECISION_TEXTS", "")
    found = list(differences(Path(folder), rows)) if folder else []
    for difference in found:
        console.print(difference, highlight=False)
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
