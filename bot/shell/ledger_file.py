"""The ledger's files: the newest lines in one, and those before them in parts that never change.

A push writes no more than a part, however long the ledger is. A ledger from before there were parts
is one long file, which the next push cuts.
"""

from collections.abc import Sequence

from bot.core.values.ids import Ref

LEDGER_REF = Ref("refs/headgate/ledger")
LEDGER_FILE = "ledger.jsonl"
LEDGER_PARTS = "ledger/"
LINES_A_PART = 500


def ledger_edits(newest: bytes, first: int, lines: Sequence[str]) -> dict[str, bytes | None]:
    """Edits that put lines, from the ledger's line number `first` on, behind those of `newest`.

    A part is named by the number of its first line, so that names sort as lines do.
    """
    held = newest.splitlines(keepends=True)
    number = first - len(held)
    held += [f"{line}\n".encode() for line in lines]
    edits: dict[str, bytes | None] = {}
    while len(held) > LINES_A_PART:
        edits[f"{LEDGER_PARTS}{number:08}.jsonl"] = b"".join(held[:LINES_A_PART])
        number, held = number + LINES_A_PART, held[LINES_A_PART:]
    return {**edits, LEDGER_FILE: b"".join(held)}
