"""The ledger's files grow by the lines that are new."""

from pathlib import PurePosixPath

import pytest

from bot.shell.ledger_file import LEDGER_FILE, LINES_A_PART, ledger_edits


class Tree:
    """The ledger's tree, and how much each push has written into it."""

    def __init__(self, before: int = 0) -> None:
        self.files = {LEDGER_FILE: "".join(f"{n}\n" for n in range(before)).encode()}
        self.lines = before
        self.written: list[int] = []

    def push(self, count: int) -> None:
        lines = [str(n) for n in range(self.lines, self.lines + count)]
        edits = ledger_edits(self.files[LEDGER_FILE], self.lines, lines)
        self.files |= {path: raw for path, raw in edits.items() if raw is not None}
        self.lines += count
        self.written.append(sum(raw.count(b"\n") for raw in edits.values() if raw))

    def read(self) -> list[int]:
        """The whole ledger, as a reader finds it: parts by their names, then the newest lines."""
        names = sorted(path for path in self.files if path != LEDGER_FILE)
        parts = [self.files[path] for path in names]
        assert [int(PurePosixPath(n).stem) for n in names] == [int(p.split()[0]) for p in parts]
        return [int(line) for raw in (*parts, self.files[LEDGER_FILE]) for line in raw.split()]


@pytest.mark.parametrize("count", [1, 7, LINES_A_PART - 1, LINES_A_PART, 3 * LINES_A_PART + 1])
def test_every_ledger_line_occurs_once_and_in_order(count: int) -> None:
    tree = Tree()
    while tree.lines < 4 * LINES_A_PART:
        tree.push(count)
        assert tree.read() == list(range(tree.lines))


def test_a_push_writes_the_same_amount_for_a_ledger_of_any_length() -> None:
    tree = Tree()
    for _ in range(5 * LINES_A_PART):
        tree.push(1)
    assert max(tree.written) <= LINES_A_PART + 1


def test_a_short_ledger_is_one_file() -> None:
    tree = Tree()
    tree.push(LINES_A_PART)
    assert list(tree.files) == [LEDGER_FILE]


def test_a_part_never_changes() -> None:
    tree = Tree()
    tree.push(LINES_A_PART + 1)
    parts = {p: raw for p, raw in tree.files.items() if p != LEDGER_FILE}
    tree.push(3 * LINES_A_PART)
    assert len(parts) == 1
    assert parts.items() <= tree.files.items()


def test_an_old_ledger_in_one_file_is_split_once() -> None:
    tree = Tree(before=3 * LINES_A_PART + 20)
    tree.push(2)
    tree.push(2)
    assert tree.read() == list(range(3 * LINES_A_PART + 24))
    assert tree.written[1] == 24


def test_the_same_push_makes_the_same_files() -> None:
    newest = b"0\n1\n"
    lines = [str(n) for n in range(2, 2 * LINES_A_PART)]
    assert ledger_edits(newest, 2, lines) == ledger_edits(newest, 2, lines)
