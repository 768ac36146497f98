"""What a candidate changes of the files that steer how it is judged."""

import hashlib
import posixpath
from collections.abc import Iterable, Mapping

from bot.core.spec.steering.known_files import has_parts, is_runner_file
from bot.core.spec.steering.named_files import lines_of, named_files
from bot.core.spec.steering.shadows import shadowing
from bot.core.values.ids import Frozen
from bot.core.values.steering import Steering
from gates.setup_files import is_setup_file

# Files whose lines start others: what they name is named by whoever starts them.
_STARTERS = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "package.json"})


class Change(Frozen):
    """A candidate on its base: blobs by path (regular files), and every path that differs."""

    base: Mapping[str, str]
    candidate: Mapping[str, str]
    changed: tuple[str, ...]


def starters(paths: Iterable[str]) -> tuple[str, ...]:
    """The files at the top that runners of tasks take their lines from."""
    return tuple(path for path in paths if path in _STARTERS)


def named_next(
    texts: Mapping[str, bytes], known: frozenset[str], paths: frozenset[str]
) -> tuple[str, ...]:
    """What files name that is not known yet."""
    found: set[str] = set()
    for path, content in texts.items():
        found |= named_files(lines_of(path, content), paths, posixpath.dirname(path))
    return tuple(sorted(found - known))


def with_parts(change: Change) -> tuple[str, ...]:
    """Changed files of which the contents say whether they steer."""
    return tuple(path for path in change.changed if has_parts(path))


def steering(
    change: Change,
    of_gates: frozenset[str],
    of_setup: frozenset[str] | None,
    texts: Mapping[str, tuple[bytes | None, bytes | None]],
    head: str,
) -> Steering:
    """`of_gates` and `of_setup` are what the lines name on base; None: there is no setup.

    `texts` are those of `with_parts`, before and after. `head` stands for what has no contents to
    be named by: a link, a file that is gone.
    """
    runner = tuple(
        path
        for path in change.changed
        if path in of_gates or is_runner_file(path, *texts.get(path, (b"", b"")))
    )
    setup = tuple(
        path
        for path in change.changed
        if of_setup is not None and (path in of_setup or is_setup_file(path))
    )
    added = tuple(path for path in change.changed if path not in change.base)
    found = Steering(
        runner=runner,
        setup=setup,
        shadows=shadowing(added, frozenset(change.candidate), of_gates),
    )
    if not found.files:
        return found
    lines = "\n".join(f"{p} {change.candidate.get(p, f'not at {head}')}" for p in found.files)
    return found.replace(digest=hashlib.sha256(lines.encode()).hexdigest())
