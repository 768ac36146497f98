"""Stale deltas: a block of the main specs was edited after the delta that replaces it was planned.

Folding such a delta would silently undo the edit. So the hash of the text that each operation
replaces is kept from planning time. The block must still have that text, or already the delta's
result; otherwise the delta is refused, with main's current text.
"""

import hashlib
from collections.abc import Iterator, Mapping

from bot.core.spec.archive.delta import delta_files
from bot.core.spec.archive.delta_text import DeltaFile, SpecBlock, read_main
from bot.core.spec.archive.main_rules import Refusal
from bot.core.values.ids import Frozen

# How many lines that main has and the delta lacks are shown.
_LINES_SHOWN = 6


class StaleBlock(Frozen):
    """An edited block: its key, its current hash, and the refusal with a proposal."""

    key: str
    now: str
    refusal: Refusal


class _Replaced(Frozen):
    """An operation that replaces or removes text: where it is, and the new text."""

    key: str
    names: tuple[str, ...]
    line: int
    text: str


def base_hashes(main: Mapping[str, str], delta: Mapping[str, str]) -> dict[str, str]:
    """The hash of every block of the main specs that a delta folder replaces or removes.

    `main` maps repository paths to texts, `delta` paths below the folder, as for `fold`.
    """
    found = {}
    for one in delta_files(delta):
        blocks = _blocks(main, one)
        for operation in _replaced(one):
            block = next((blocks[n] for n in operation.names if n in blocks), None)
            if block is not None:
                found[operation.key] = _hash(block.text)
    return found


def stale_blocks(
    main: Mapping[str, str],
    delta: Mapping[str, str],
    owned: frozenset[str],
    bases: Mapping[str, str],
) -> tuple[StaleBlock, ...]:
    """The blocks of owned operations that differ from what they were at planning time."""
    found = []
    for one in delta_files(delta):
        blocks = _blocks(main, one)
        for operation in _replaced(one):
            block = next((blocks[n] for n in operation.names if n in blocks), None)
            base = bases.get(operation.key)
            if block is None or base is None or not owned.intersection(operation.names):
                continue
            now = _hash(block.text)
            if now not in {base, _hash(operation.text)}:
                refusal = _refusal(one, operation, block)
                found.append(StaleBlock(key=operation.key, now=now, refusal=refusal))
    return tuple(found)


def _blocks(main: Mapping[str, str], delta: DeltaFile) -> dict[str, SpecBlock]:
    text = main.get(f"openspec/specs/{delta.capability}/spec.md")
    return {b.name: b for b in read_main(text).blocks} if text is not None else {}


def _replaced(delta: DeltaFile) -> Iterator[_Replaced]:
    """A modification under a new name replaces the block under the old one."""
    sources = {r.target: r.source for r in delta.renamed if r.source and r.target}
    for block in delta.modified:
        names = tuple(n for n in (block.name, sources.get(block.name)) if n)
        yield _Replaced(
            key=f"{delta.capability}#{block.name}", names=names, line=block.line, text=block.text
        )
    for block in delta.removed:
        yield _Replaced(
            key=f"{delta.capability}#{block.name}", names=(block.name,), line=block.line, text=""
        )


def _hash(text: str) -> str:
    body = "\n".join(line.rstrip() for line in text.strip().split("\n")[1:])
    return hashlib.sha256(body.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _refusal(delta: DeltaFile, operation: _Replaced, block: SpecBlock) -> Refusal:
    mine = {line.strip() for line in operation.text.split("\n")}
    theirs = [line.strip() for line in block.text.split("\n")[1:] if line.strip()]
    lost = [line for line in theirs if line not in mine][:_LINES_SHOWN]
    said = " ".join(f"'{line[:160]}'" for line in lost)
    proposal = "Take what was edited into the delta, or take the edit back."
    if lost:
        proposal = f"Main now also says: {said}. {proposal}"
    return Refusal(
        code="stale_base",
        path=delta.path,
        requirement=block.name,
        line=operation.line,
        sentence=f"'{block.name}' was edited on main after this was planned, and would be undone.",
        proposal=proposal,
    )
