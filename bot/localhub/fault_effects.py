"""Faults that act: a branch is rewound, a commit is pushed, the clock drifts.

Each happens as if the repository's owner had done it with git just before the request that the
fault matches, with rules and webhooks. `faults.py` decides when.
"""

from contextlib import suppress
from datetime import timedelta
from fnmatch import fnmatchcase

from bot.localhub.errors import ApiError
from bot.localhub.faults import Fault, FaultKind, FaultPlan
from bot.localhub.merging import FileWrite, Merging
from bot.localhub.model import Actor, Repository, TokenKind
from bot.localhub.refs import Refs
from bot.localhub.state import State


class FaultEffects:
    def __init__(self, state: State, refs: Refs, merging: Merging) -> None:
        self._state = state
        self._refs = refs
        self._merging = merging

    def register(self, plan: FaultPlan) -> None:
        plan.effects |= {
            FaultKind.REWIND: self._rewind,
            FaultKind.PUSH: self._push,
            FaultKind.DRIFT: self._drift,
        }

    def _rewind(self, fault: Fault, full_name: str) -> None:
        # Nothing happens where a person could not do it either: a ruleset refuses it, or the branch
        # or that many commits do not exist.
        with suppress(ApiError):
            repository = self._state.repository(full_name)
            branch = self._branch(repository, fault)
            tip = repository.refs.get(f"refs/heads/{branch}", "")
            target = repository.git.commit_sha(f"{tip}~{fault.commits}") if tip else None
            if target is not None:
                self._refs.force(repository, _owner(repository), f"refs/heads/{branch}", target)

    def _push(self, fault: Fault, full_name: str) -> None:
        with suppress(ApiError):
            repository = self._state.repository(full_name)
            branch = self._branch(repository, fault)
            tip = repository.refs.get(f"refs/heads/{branch}")
            if tip is None:
                return
            held = repository.git.entry(tip, fault.file)
            write = FileWrite(
                path=fault.file,
                content=fault.text.encode(),
                message=f"Write {fault.file}",
                branch=branch,
                expected_sha=None if held is None else held.sha,
            )
            self._merging.write_file(repository, _owner(repository), write)

    def _drift(self, fault: Fault, _full_name: str) -> None:
        self._state.drift += timedelta(seconds=fault.drift_seconds)

    def _branch(self, repository: Repository, fault: Fault) -> str:
        if not fault.branch:
            return repository.default_branch
        heads = sorted(
            ref.removeprefix("refs/heads/")
            for ref in repository.refs
            if ref.startswith("refs/heads/")
        )
        return next((head for head in heads if fnmatchcase(head, fault.branch)), fault.branch)


def _owner(repository: Repository) -> Actor:
    return Actor(TokenKind.USER, account=repository.owner)
