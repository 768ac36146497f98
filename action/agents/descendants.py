"""The processes below a process, as /proc has them."""

from collections import defaultdict
from pathlib import Path


def descendants_of(parent: int) -> list[int]:
    children = _children_by_parent()
    found: list[int] = []
    unseen = list(children[parent])
    while unseen:
        pid = unseen.pop()
        found.append(pid)
        unseen.extend(children[pid])
    return found


def _children_by_parent() -> defaultdict[int, list[int]]:
    children: defaultdict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_bytes()
        except OSError:
            continue  # it ended while we looked
        # "pid (name) state ppid …": the name may hold anything, brackets included (proc(5)).
        parent = int(stat.rpartition(b")")[2].split()[1])
        children[parent].append(int(folder.name))
    return children
