"""Names that tests in Rust take from a module that the change made for them, while the product still has its own."""

import posixpath
import re
from collections.abc import Iterator

from gates.test_guard.sources import OtherSource, Texts

_USE = re.compile(r"\buse\s+([^;]{1,500});")
# `crate::easy::price(1)`, as it stands in a test.
_CALLED = re.compile(r"(?<![\w:])(\w+(?:::\w+){1,6})\s*\(")
_DEEP_MAX = 5
_STEPS_MAX = 8
_ITEMS = "fn|struct|enum|trait|type|const|static|macro_rules!"
# A method is taken by its type, and by no `use`.
_NO_METHOD = r"(?!\s*+(?:<[^>(]{0,100}>\s*+)?\(\s*+(?:&\s*+(?:'\w++\s++)?)?(?:mut\s++)?self\b)"
_NOT_OF_TREE = frozenset({"std", "core", "alloc"})


def rust_sources(
    path: str, before: str, after: str, base: Texts, candidate: Texts
) -> Iterator[OtherSource]:
    """Of what a file names before it is asked where it comes from then."""
    old = dict(taken(before))
    for own, place in taken(after):
        if old.get(own) == place or not re.search(rf"\b{own}\b", before):
            continue
        name = place[-1]
        now = _given(name, module_files(path, place[:-1]), base, candidate)
        if now:
            was = _still_there(
                name,
                (path, *module_files(path, old.get(own, ("crate",))[:-1] or ("crate",))),
                now,
                candidate,
            )
            if was:
                yield OtherSource(own, was, now)


def taken(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for found in _USE.finditer(text):
        for words in _parted(found[1], _DEEP_MAX):
            place, _, other = words.partition(" as ")
            steps = tuple(one.strip() for one in place.split("::"))
            if len(steps) > 1 and steps[-1].isidentifier() and steps[0] not in _NOT_OF_TREE:
                yield (other.strip() or steps[-1]), steps
    for found in _CALLED.finditer(text):
        steps = tuple(found[1].split("::"))
        if steps[0] not in _NOT_OF_TREE and steps[-2][:1].islower():
            yield steps[-1], steps


def _parted(text: str, deep: int) -> Iterator[str]:
    """`a::{b, c::d}` as `a::b` and `a::c::d`."""
    head, brace, rest = text.partition("{")
    if not brace or not deep:
        yield " ".join(text.split())
        return
    depth, start = 0, 0
    inside = rest.rpartition("}")[0]
    for at, sign in enumerate(f"{inside},"):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            if part := inside[start:at].strip():
                yield from _parted(f"{head.strip()}{part}", deep - 1)
            start = at + 1


def module_files(path: str, modules: tuple[str, ...]) -> tuple[str, ...]:
    """Where a module may stand: in a file of its own, or in the file of the one around it."""
    folder, is_source, _ = path.rpartition("src/")
    root = (
        f"{folder}{is_source}"
        if is_source
        else posixpath.join(posixpath.dirname(posixpath.dirname(path)), "src/")
    )
    modules = modules[:_STEPS_MAX]
    steps = tuple(one for one in modules[1:] if one not in {"self", "super"})
    tops = (f"{root}lib.rs", f"{root}main.rs")
    found: list[str] = []
    for base, names in ((root, steps), (posixpath.join(posixpath.dirname(path), ""), modules)):
        for end in range(len(names), 0, -1):
            place = base + "/".join(names[:end])
            found += [f"{place}.rs", f"{place}/mod.rs"]
    found += (path, *tops) if len(steps) < 2 else ()
    return tuple(dict.fromkeys(found))


def _given(name: str, places: tuple[str, ...], base: Texts, candidate: Texts) -> str:
    """The file in which the change defines it; empty for none."""
    was, now = base(list(places)), candidate(list(places))
    return next(
        (one for one in places if _count(now.get(one, ""), name) > _count(was.get(one, ""), name)),
        "",
    )


def _still_there(name: str, places: tuple[str, ...], now: str, candidate: Texts) -> str:
    texts = candidate(list(places))
    return next((one for one in places if _count(texts.get(one, ""), name) > (one == now)), "")


def _count(text: str, name: str) -> int:
    if not name.isidentifier():
        return 0
    return len(re.findall(rf"\b(?:{_ITEMS})\s+{name}\b{_NO_METHOD}", text))
