"""Which of many ranges of lines has a line; ranges may overlap, and each line is visited once.

A thousand requirements in one paragraph share its lines: a loop over the lines of each would take
time with the square of the text.
"""

from collections.abc import Iterable


def first_owners(ranges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each line the position of the first range (first and last line) that has it."""
    owner: dict[int, int] = {}
    # From a line that has an owner, the next one that may have none.
    skips: dict[int, int] = {}
    for position, (start, end) in enumerate(ranges):
        line = _free(skips, start)
        while line <= end:
            owner[line] = position
            skips[line] = line + 1
            line = _free(skips, line + 1)
    return owner


def _free(skips: dict[int, int], line: int) -> int:
    """The first line from here on without an owner; the way there is made shorter."""
    passed = []
    while line in skips:
        passed.append(line)
        line = skips[line]
    for one in passed:
        skips[one] = line
    return line
