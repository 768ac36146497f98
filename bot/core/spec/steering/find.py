"""What a candidate changes of the files that steer how it is judged."""

import hashlib
import posixpath
from collections.abc import Iterable, Mapping

from bot.core.spec.steering.beside import beside
from bot.core.spec.steering.configured import configured, is_configuration, python_roots
from bot.core.spec.steering.known_files import (
    has_parts,
    is_read_by_name,
    is_runner_file,
    is_vendored,
)
from bot.core.spec.steering.named_files import lines_of, named_files, roots_of, shell_scripts
from bot.core.spec.steering.read_in import read_in
from bot.core.spec.steering.shadows import shadowing
from bot.core.spec.steering.tree_links import Links
from bot.core.values.ids import Frozen
from bot.core.values.steering import Steering
from gates.setup_files import is_setup_file

# Files whose lines start others: what they name is named by whoever starts them.
_STARTERS = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "package.json"})


# Their words are no shell lines: most files that they name are what they look at.
_CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".rb", ".pl", ".php", ".md")
# Longer configuration is not written by hand.
_READ_MAX = 200_000


class Change(Frozen):
    """A candidate on its base: blobs by path (regular files), and every path that differs.

    `links` are those of base, each with what it says.
    """

    base: Mapping[str, str]
    candidate: Mapping[str, str]
    changed: tuple[str, ...]
    links: Mapping[str, str] = {}


def starters(paths: Iterable[str]) -> tuple[str, ...]:
    """The files at the top that runners of tasks take their lines from."""
    return tuple(path for path in paths if path in _STARTERS)


def configurations(paths: Iterable[str]) -> tuple[str, ...]:
    """The files of runners that may name others."""
    return tuple(path for path in paths if is_configuration(path))


def named_by_lines(lines: tuple[str, ...], links: Links) -> frozenset[str]:
    """What the lines of a policy start, are configured by and take in."""
    found = named_files(lines, links.paths) | _taken_in(lines, "", links.paths)
    return links.followed(found)


def named_by_configuration(texts: Mapping[str, bytes], links: Links) -> frozenset[str]:
    """What runners read because of their configuration, and what stands behind links with known names."""
    found = {path for path in links.aliases if is_read_by_name(path)}
    for path, content in texts.items():
        found |= configured(path, content[:_READ_MAX], links.paths)
    return links.followed(frozenset(found))


def named_next(texts: Mapping[str, bytes], known: frozenset[str], links: Links) -> tuple[str, ...]:
    """What files name that is not known yet."""
    found: set[str] = set()
    for path, content in texts.items():
        folder = posixpath.dirname(path)
        lines = lines_of(path, content)
        if path.endswith(_CODE):
            found |= shell_scripts(lines, links.paths)
        else:
            found |= named_files(lines, links.paths, folder)
            found |= _taken_in(lines, folder, links.paths)
        if path not in _STARTERS and not is_configuration(path):
            found |= beside(path, content[:_READ_MAX], links.paths)
    return tuple(sorted(links.followed(frozenset(found)) - known))


def import_roots(lines: tuple[str, ...], texts: Mapping[str, bytes]) -> frozenset[str]:
    """The folders that lines and pytest's configuration put before those of Python itself."""
    return roots_of(lines).union(*(python_roots(path, text) for path, text in texts.items()))


def _taken_in(lines: Iterable[str], folder: str, paths: frozenset[str]) -> frozenset[str]:
    words = {posixpath.normpath(word) for line in lines for word in read_in(line) if word}
    beside_it = {posixpath.normpath(posixpath.join(folder, word)) for word in words}
    return frozenset((words | beside_it) & paths)


def with_parts(change: Change) -> tuple[str, ...]:
    """Changed files of which the contents say whether they steer."""
    return tuple(path for path in change.changed if has_parts(path))


def steering(
    change: Change,
    of_gates: frozenset[str],
    of_setup: frozenset[str] | None,
    texts: Mapping[str, tuple[bytes | None, bytes | None]],
    head: str,
    roots: frozenset[str] = frozenset(),
) -> Steering:
    """`of_gates` and `of_setup` are what the lines name on base; None: there is no setup.

    `texts` are those of `with_parts`, before and after. `head` stands for what has no contents to
    be named by: a link, a file that is gone. From `roots` Python imports first.
    """
    runner = tuple(
        path
        for path in change.changed
        if path in of_gates
        or is_vendored(path, change.base)
        or is_runner_file(path, *texts.get(path, (b"", b"")))
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
        shadows=shadowing(added, frozenset(change.candidate), of_gates, roots),
    )
    if not found.files:
        return found
    lines = "\n".join(f"{p} {change.candidate.get(p, f'not at {head}')}" for p in found.files)
    return found.replace(digest=hashlib.sha256(lines.encode()).hexdigest())
