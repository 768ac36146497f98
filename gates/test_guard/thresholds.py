"""Coverage thresholds that a change lowers or removes, in the files where tools keep them."""

import re
from collections import defaultdict
from collections.abc import Iterator

from gates.test_guard.compare import Loss, TestLoss

_FILE = re.compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.coveragerc|package\.json|Makefile"
    r"|(?:jest|vitest|vite|karma)\.config\.\w+|\.(?:nyc|c8)rc[\w.]*|\.?codecov\.ya?ml|noxfile\.py"
    r"|tarpaulin\.toml|\.testcoverage\.ya?ml)$"
)
_THRESHOLD = re.compile(
    r"(?P<name>fail[_-]under|cov-fail-under|check-coverage|fail-under-lines|minimum[_-]coverage"
    r"|branches|functions|lines|statements|target|threshold|per-?file|total)"
    r"[\"']?(?:\s*+[=:]\s*+|\s++)[\"']?(?P<number>\d{1,3}(?:\.\d+)?)%?"
)
# Names that mean a threshold wherever they stand; the others may be many things.
_SURE = re.compile(r"fail|coverage")
# Where the general names are thresholds.
_SECTION = re.compile(r"coverage|threshold|codecov|nyc|c8rc", re.IGNORECASE)


def is_threshold_path(path: str) -> bool:
    return _FILE.search(path) is not None


def lowered(path: str, before: str, after: str) -> Iterator[TestLoss]:
    """What one file asks less of than before; never raises."""
    old, new = _thresholds(path, before), _thresholds(path, after)
    for name, numbers in old.items():
        now = new.get(name, [])
        if _holds(numbers, now):
            continue
        was = ", ".join(f"{number:g}" for number in numbers)
        said = ", ".join(f"{number:g}" for number in now) or "nothing"
        yield TestLoss(
            Loss.THRESHOLD, f"{path}::{name}", path, 1, f"`{name}` was {was} and is {said} now."
        )


def _holds(old: list[float], new: list[float]) -> bool:
    """Whether each of the old numbers has one of its own in the new ones that is not lower."""
    pairs = zip(sorted(old, reverse=True), sorted(new, reverse=True), strict=False)
    return len(new) >= len(old) and all(now >= was for was, now in pairs)


def _thresholds(path: str, text: str) -> dict[str, list[float]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    has_section = _SECTION.search(text) is not None or _SECTION.search(path) is not None
    for match in _THRESHOLD.finditer(text):
        if has_section or _SURE.search(match["name"]):
            found[match["name"]].append(float(match["number"]))
    return dict(found)
