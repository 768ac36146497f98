"""The checkout of an order, set up on a tree that nobody under judgement wrote.

Setup runs on main's commit, which the order names. Then the order's own commit is checked out around what
setup made. Files of that commit in the place of what setup made are reported: with them the commit would
decide what the gates run with.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from action.harness.folder import OrderFolder, layers_folder
from action.harness.layer_store import LayerStore, key_of
from action.harness.leftovers import Leftovers, as_pattern
from action.harness.order_context import OrderContext, set_up
from action.harness.saved_checkout import can_be_layered, parts
from action.harness.work import replace_git_folder
from action.order import AgentOrder, GateOrder
from action.sandbox.sandbox import Layer, Sandbox

_DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class Prepared:
    """`planted` are files of the commit in places of setup's; `failed` says why setup ended.

    `below`: a layer's tree and home are shown below the order's own, in every command of the sandbox.
    """

    failed: str | None = None
    planted: tuple[str, ...] = ()
    below: Path | None = None


def prepare(
    order: AgentOrder | GateOrder,
    context: OrderContext,
    sandbox: Sandbox,
    sha: str,
    also_excluded: tuple[str, ...] = (),
) -> Prepared:
    """Set up, and leave the tree as `sha` has it, with what setup made beside or below it."""
    folder, git = context.folder, context.git
    place = layers_folder(context.environment) if folder.is_steady else None
    store = LayerStore(place) if place and can_be_layered(folder, sandbox) else None
    key = key_of(order, folder, git, sandbox, context.environment) if store else None
    kept = store.find(key) if store and key else None
    if kept is None:
        before = order.setup_sha if order.setup and order.setup_sha else sha
        git.check_out(before)
        if before != sha:
            _backdate(context, git.changed_paths(before, sha))
        replace_git_folder(folder)
        folder.give_to(sandbox)
        failed = set_up(context, order, sandbox)
        if failed is not None:
            return Prepared(failed=failed)
        made = git.beside()
        git.exclude_untracked(*also_excluded)
        if store and key:
            kept = store.keep(key, folder, git, sandbox)
    else:
        context.progress.note("The result of setup is reused from an earlier order")
        made = kept.made
        git.exclude("\n".join((kept.exclude, *(f"/{as_pattern(p)}" for p in also_excluded))))
    planted = _planted(made, git.paths_of(sha))
    # What setup changed is put back.
    git.check_out(sha)
    replace_git_folder(folder)
    folder.give_to(sandbox)
    if kept is not None:
        sandbox.layers = tuple(_over(kept.folder, part, folder) for part in parts(folder))
    return Prepared(planted=planted, below=kept.folder if kept else None)


def _over(below: Path, part: Path, folder: OrderFolder) -> Layer:
    """A part of the order's own above the layer's: what is written is the order's."""
    work = folder.root / f"work-{part.name}"
    work.mkdir(mode=0o700)
    return Layer(part, (below / part.name,), part, work)


def _planted(made: tuple[str, ...], paths: tuple[str, ...]) -> tuple[str, ...]:
    """Files of a commit that stand in, for or below what setup made."""
    names = Leftovers(frozenset(made))
    files = frozenset(name for name in made if not name.endswith("/"))
    return tuple(
        path
        for path in paths
        if names.covers(path)
        or names.covers(f"{path}/")
        or any(str(parent) in files for parent in PurePosixPath(path).parents)
    )


def _backdate(context: OrderContext, paths: tuple[str, ...]) -> None:
    """What setup compiles of these must not be taken for compiled from the order's own files.

    Python, for one, tells by size and by the second of the last change.
    """
    before = time.time() - _DAY_SECONDS
    for path in paths:
        place = context.folder.tree / path
        if place.is_symlink() or place.is_file():
            os.utime(place, (before, before), follow_symlinks=False)
