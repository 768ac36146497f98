"""Profiles of other packages, found by the entry points `headgate.profiles`.

A plugin is code of whoever runs the server or the runner. What it does wrong is a sentence, never a
traceback: a profile that fails must not be taken for a project of another kind.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from gates.profiles.built_in import BUILT_IN
from gates.profiles.profile import Profile, ProfileError, Proposal, Sign, TestAdapter
from gates.result import ProfileUse
from gates.test_guard.found_test import TestFile
from gates.test_guard.languages import OWN_READERS, Readers

GROUP = "headgate.profiles"
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,49}")
_VERSION = re.compile(r"[\w.+-]{1,50}")
T = TypeVar("T")


def all_profiles() -> tuple[Profile, ...]:
    """Those of plugins by their names, then Headgate's own. Raises `ProfileError`."""
    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    names = [point.name for point in found]
    for name in names:
        if names.count(name) > 1:
            raise ProfileError(f"Two packages provide a profile `{name}`. Uninstall one of them.")
    return (*(_loaded(point) for point in found), *BUILT_IN)


def readers_of(uses: Sequence[ProfileUse]) -> Readers:
    """Who reads tests: plugins in the versions that the policy names, then Headgate's own.

    Raises `ProfileError` where one of them is not as the policy names it.
    """
    if not uses:
        return OWN_READERS
    installed = {profile.name: profile for profile in all_profiles()}
    found = tuple(_reader(use, installed.get(use.name)) for use in uses)
    return Readers((*found, *OWN_READERS.adapters))


def _reader(use: ProfileUse, profile: Profile | None) -> TestAdapter:
    wanted = f"The policy names the profile `{use.name}` {use.version} under `languages`"
    if profile is None:
        raise ProfileError(f"{wanted}, but no installed package provides it. Install the package.")
    if str(profile.version) != use.version:
        other = f"{wanted}, but the installed version is {profile.version}."
        raise ProfileError(f"{other} Correct the policy, or install that version.")
    if profile.tests is None:
        raise ProfileError(f"{wanted}, but that profile reads no tests. Correct the policy.")
    return profile.tests


def _loaded(point: EntryPoint) -> Profile:
    profile = _run(point, "loaded", point.load)
    if not isinstance(profile, Profile):
        raise _refused(point, "loaded", f"`{point.value}` is not a profile")
    if profile.name != point.name or not _NAME.fullmatch(profile.name):
        raise _refused(point, "loaded", f"it calls itself {profile.name!r}")
    if not _VERSION.fullmatch(str(profile.version)):
        raise _refused(point, "loaded", f"{profile.version!r} is not a version")
    if any(profile.name == own.name for own in BUILT_IN):
        raise _refused(point, "loaded", "Headgate already has a profile of that name")
    return replace(
        profile,
        detect=lambda project: _asked(point, Sign, lambda: profile.detect(project)),
        propose=lambda project: _asked(point, Proposal, lambda: profile.propose(project)),
        tests=_Guarded(point, profile.tests) if profile.tests else None,
    )


@dataclass(frozen=True)
class _Guarded:
    point: EntryPoint
    tests: TestAdapter

    def is_test_path(self, path: str) -> bool:
        return _asked(self.point, bool, lambda: self.tests.is_test_path(path))

    def read(self, path: str, source: str) -> TestFile:
        return _asked(self.point, TestFile, lambda: self.tests.read(path, source))


def _asked(point: EntryPoint, kind: type[T], call: Callable[[], object]) -> T:
    answer = _run(point, "asked", call)
    if not isinstance(answer, kind):
        raise _refused(point, "asked", f"it answers with {type(answer).__name__}")
    return answer


def _run(point: EntryPoint, doing: str, call: Callable[[], object]) -> object:
    try:
        return call()
    except Exception as failure:
        said = " ".join(_words(failure))
        raise _refused(point, doing, said) from failure


def _words(failure: Exception) -> Iterator[str]:
    yield f"{type(failure).__name__}:"
    yield str(failure).strip()[:300]


def _refused(point: EntryPoint, doing: str, why: str) -> ProfileError:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    return ProfileError(
        f"The profile `{point.name}` of the package {package} could not be {doing}: "
        f"{why.rstrip('.: ')}. Repair or uninstall the package."
    )
