"""Checks of an agent's changes: paths, modes, links and sizes, as pure functions.

Each change is judged by what a checkout on any file system would do with it: a name that some system
reads as `.git`, a link that leaves the tree, a folder that becomes a file. The bundle's header is
parsed here, before git may read the bundle.
"""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pathspec import GitIgnoreSpec

from bot.core.values.candidate import BundleRefusal, BundleRules, RefusalCode
from bot.core.values.ids import Sha
from gates.unseen import IGNORABLE

HEAD_REF = "refs/heads/headgate"

_SYMLINK, _GITLINK, _FOLDER, _GONE = "120000", "160000", "040000", "000000"
_PLAIN = "100644"
_MODES = (_PLAIN, "100755", _SYMLINK)
# PATH_MAX of Linux; a longer path cannot be checked out.
_PATH_BYTES_MAX = 4_096
# For all changed files together, because many small files can be a bomb, too.
_TOTAL_TIMES_BUNDLE = 10
_SHOWN_PATHS_MAX = 20
_SHOWN_CHARACTERS_MAX = 500
_SENTENCES_MAX = 5
_LINK_BYTES_MAX = 4_096
# Code points that a file system may ignore when it compares names: HFS+ some of them (those in git's
# utf8.c), ext4 with folded names all that Unicode lets be ignored (`Default_Ignorable_Code_Point`).
_IGNORED = re.compile(f"[{IGNORABLE}]")
# What Windows also calls a longer name by: `GITHUB~1` is `.github`.
_SHORT_NAME = re.compile(r"[^/.]{1,6}~[0-9]{1,6}(?:\.[^/.]{0,3})?")
# Lines that end in a name, and text that is turned around: a name that is shown as another one.
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_NO_LETTERS = frozenset({"Cc", "Zl", "Zp"})
# NTFS: short names, trailing dots and spaces, alternate streams.
_DOT_GIT = re.compile(r"(\.git|git~\d+)[. ]*(:.*)?", re.IGNORECASE | re.DOTALL)

# A header is a few lines; an agent's repository does not have thousands of refs.
_HEADER_BYTES_MAX = 64 * 1024
_OBJECTS_MAX = 200_000


@dataclass(frozen=True)
class BundleHeader:
    """The tip of a bundle (gitformat-bundle) and the offset of its pack."""

    tip: Sha
    pack_at: int


@dataclass(frozen=True)
class TreeDelta:
    """A path that differs between two trees; `mode` is the new one, 000000 for a deleted path.

    `before` is the object that was there.
    """

    path: bytes
    mode: str
    object_id: Sha
    before: Sha | None = None

    @property
    def display_path(self) -> str:
        return self.path.decode("utf-8", errors="backslashreplace")

    @property
    def exists(self) -> bool:
        return self.mode != _GONE

    @property
    def is_folder(self) -> bool:
        return self.mode == _FOLDER

    @property
    def is_symlink(self) -> bool:
        return self.mode == _SYMLINK


def parse_header(bundle: bytes) -> BundleHeader | BundleRefusal:
    """The header of an unfiltered SHA-1 bundle that has the agent's ref exactly once."""
    head, separator, pack = bundle[:_HEADER_BYTES_MAX].partition(b"\n\n")
    lines = head.decode("utf-8", errors="replace").split("\n")
    if not separator or lines[0] not in ("# v2 git bundle", "# v3 git bundle"):
        return _refusal(RefusalCode.UNREADABLE, "This is not a git bundle.")
    tips = []
    for line in lines[1:]:
        if line.startswith("@") and line != "@object-format=sha1":
            return _refusal(RefusalCode.UNREADABLE, f"The bundle asks for `{line[:80]}`.")
        if found := re.fullmatch(r"([0-9a-f]{40}) (refs/.+)", line):
            tips += [Sha(found[1])] if found[2] == HEAD_REF else []
        elif not line.startswith("@") and not re.match(r"-[0-9a-f]{40}( |$)", line):
            return _refusal(RefusalCode.UNREADABLE, "The bundle's header is damaged.")
    if len(tips) != 1:
        return _refusal(RefusalCode.UNREADABLE, f"The bundle has no single `{HEAD_REF}`.")
    if not pack.startswith(b"PACK"):
        return _refusal(RefusalCode.UNREADABLE, "The bundle has no pack.")
    if int.from_bytes(pack[8:12]) > _OBJECTS_MAX:
        return _refusal(RefusalCode.TOO_LARGE, f"The bundle has more than {_OBJECTS_MAX} objects.")
    return BundleHeader(tips[0], len(head) + len(separator))


def deltas_between(before: bytes, after: bytes) -> tuple[TreeDelta, ...]:
    """The differences of two outputs of `git ls-tree -r -t -z`, by path; a move is two of them."""
    old, new = set(before.split(b"\0")), set(after.split(b"\0"))
    deltas: dict[tuple[bytes, bool], TreeDelta] = {}
    earlier: dict[bytes, Sha] = {}
    for row in old - new:
        facts, _, path = row.partition(b"\t")
        if facts and facts.split(b" ")[0] != _FOLDER.encode():
            earlier[path] = Sha(facts.split(b" ")[2].decode("ascii"))
            deltas[path, False] = TreeDelta(path, _GONE, Sha(""), earlier[path])
    for row in new - old:
        facts, _, path = row.partition(b"\t")
        if facts:
            mode, _, object_id = facts.decode("ascii").split(" ")
            was = None if mode == _FOLDER else earlier.get(path)
            deltas[path, mode == _FOLDER] = TreeDelta(path, mode, Sha(object_id), was)
    return tuple(deltas[key] for key in sorted(deltas))


@dataclass(frozen=True)
class Fault:
    """What is wrong with one changed path; it is kept out of the tree."""

    code: RefusalCode
    sentence: str


Faults = Mapping[TreeDelta, Fault]


def judge_names(deltas: Sequence[TreeDelta], rules: BundleRules) -> Faults:
    """Faults of names, modes and protection."""
    touches = _Protection(rules.protected)
    found = ((one, _fault_of_name(one, touches, rules.artefacts)) for one in deltas)
    return {one: fault for one, fault in found if fault is not None}


def _fault_of_name(
    one: TreeDelta, touches: "_Protection", artefacts: Sequence[str]
) -> Fault | None:
    name = f"`{one.display_path[:_SHOWN_CHARACTERS_MAX]}`"
    if one.exists and one.mode not in _MODES:
        what = "a submodule" if one.mode == _GITLINK else f"of mode {one.mode}"
        return Fault(RefusalCode.FOREIGN_OBJECT, f"{name} is {what}.")
    if one.exists and not {b"", b".", b".."}.isdisjoint(one.path.split(b"/")):
        return Fault(RefusalCode.LEAVES_THE_TREE, f"{name} would be outside its folder.")
    if one.exists and _names_dot_git(one.display_path):
        return Fault(RefusalCode.LEAVES_THE_TREE, f"{name} would be written into a `.git` folder.")
    if one.exists and not _is_plain_name(one.path):
        return Fault(
            RefusalCode.FOREIGN_OBJECT, f"{name} is not a name that every file system can store."
        )
    is_own = one.mode == _PLAIN and one.display_path in artefacts
    if touches.covers(one.display_path) and not is_own:
        sentence = f"{name} is protected; an agent may not change it."
        return Fault(RefusalCode.PROTECTED_PATH, sentence)
    return None


def judge_sizes(
    deltas: Sequence[TreeDelta], sizes: Mapping[Sha, int], rules: BundleRules
) -> Faults:
    """Faults of size of single files; a link is no longer than a path can be."""
    found: dict[TreeDelta, Fault] = {}
    for one in deltas:
        size = sizes.get(one.object_id, 0)
        if one.is_symlink and size > _LINK_BYTES_MAX:
            sentence = f"The link `{one.display_path}` is longer than a path can be."
            found[one] = Fault(RefusalCode.LEAVES_THE_TREE, sentence)
        elif size > rules.file_bytes_max:
            sentence = f"`{one.display_path}` is larger than {rules.file_bytes_max} bytes."
            found[one] = Fault(RefusalCode.TOO_LARGE, sentence)
    return found


def judge_links(targets: Mapping[TreeDelta, bytes]) -> Faults:
    """Faults of changed symbolic links: out of the tree, or into `.git`."""
    return {
        one: Fault(
            RefusalCode.LEAVES_THE_TREE, f"The link `{one.display_path}` points outside the tree."
        )
        for one, target in targets.items()
        if _leads_out(one.path, target)
    }


def judge_secrets(contents: Mapping[TreeDelta, bytes], before: Callable[[Sha], str]) -> Faults:
    """Faults of changed files that hold a secret which `before`, the text of a blob, does not."""
    # Imported here: it costs a fifth of a second, and only bundles need it.
    from gates.secret_rules import new_secret

    found = {
        one: new_secret(content, partial(_earlier, one, before))
        for one, content in contents.items()
    }
    return {
        one: Fault(RefusalCode.HOLDS_A_KEY, f"`{one.display_path}` {why}.")
        for one, why in found.items()
        if why
    }


def _earlier(one: TreeDelta, before: Callable[[Sha], str]) -> str:
    return before(one.before) if one.before else ""


def too_large_together(
    deltas: Sequence[TreeDelta], sizes: Mapping[Sha, int], rules: BundleRules
) -> BundleRefusal | None:
    """Refuse what no single file is to blame for."""
    total_max = rules.bundle_bytes_max * _TOTAL_TIMES_BUNDLE
    if sum(sizes.get(one.object_id, 0) for one in deltas) <= total_max:
        return None
    sentence = f"The changed files are larger than {total_max} bytes together."
    return _refusal(RefusalCode.TOO_LARGE, sentence)


def too_many_files(rules: BundleRules) -> BundleRefusal:
    sentence = f"The agent changed more than {rules.files_changed_max} files."
    return _refusal(RefusalCode.TOO_LARGE, sentence)


def nothing_changed() -> BundleRefusal:
    return _refusal(RefusalCode.EMPTY, "The agent changed nothing.")


def out_of_place() -> BundleRefusal:
    sentence = "A requested file has the path of another file."
    return _refusal(RefusalCode.FOREIGN_OBJECT, sentence)


def refused_files(faults: Faults) -> BundleRefusal:
    """The faults in one: the code of the first, the first sentences, the first paths."""
    sentences = [fault.sentence for fault in faults.values()]
    more = len(sentences) - _SENTENCES_MAX
    said = " ".join(sentences[:_SENTENCES_MAX]) + (f" And {more} more." if more > 0 else "")
    return _refusal(next(iter(faults.values())).code, said, tuple(faults))


class _Protection:
    """Gitignore patterns, matched without regard to case and Unicode normalisation."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = GitIgnoreSpec.from_lines(
            unicodedata.normalize("NFC", pattern).casefold() for pattern in patterns
        )

    def covers(self, path: str) -> bool:
        """Whether the path is protected; also for a file or link that replaces a protected folder."""
        folded = _folded(path)
        return self._patterns.match_file(folded) or self._patterns.match_file(f"{folded}/")


def _folded(text: str) -> str:
    """The path as the least careful file system has it: Windows drops trailing dots and blanks and takes
    what follows a colon for a stream, others drop characters that nobody sees, all ignore case.
    """
    seen = _IGNORED.sub("", unicodedata.normalize("NFC", text)).casefold()
    return "/".join(_as_on_windows(part) for part in seen.split("/"))


def _as_on_windows(part: str) -> str:
    return part.partition(":")[0].rstrip(". ") or part


def _is_plain_name(path: bytes) -> bool:
    try:
        text = path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return (
        len(path) <= _PATH_BYTES_MAX
        and "\\" not in text
        and not any(_SHORT_NAME.fullmatch(part) for part in text.split("/"))
        and not any(
            unicodedata.category(letter) in _NO_LETTERS
            or unicodedata.bidirectional(letter) in _TURNING
            for letter in text
        )
    )


def _names_dot_git(path: str) -> bool:
    return any(_DOT_GIT.fullmatch(_IGNORED.sub("", part)) is not None for part in path.split("/"))


def _leads_out(path: bytes, target: bytes) -> bool:
    """Whether the link leaves the tree; a `..` after a name counts as leaving it.

    Leading `..` can be counted, because the link's own folder is a real one. A `..` after a name
    depends on where that name leads.
    """
    if not _is_plain_name(target) or not target:
        return True
    text = target.decode("utf-8")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    climbs = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    depth = len([part for part in posixpath.dirname(path).split(b"/") if part])
    is_absolute = text.startswith("/") or re.match(r"[A-Za-z]:", text) is not None
    return is_absolute or climbs > depth or ".." in parts[climbs:] or _names_dot_git(text)


def _refusal(code: RefusalCode, sentence: str, deltas: Sequence[TreeDelta] = ()) -> BundleRefusal:
    shown = tuple(one.display_path[:_SHOWN_CHARACTERS_MAX] for one in deltas[:_SHOWN_PATHS_MAX])
    return BundleRefusal(code=code, sentence=sentence, paths=shown)
