"""The profiles that Headgate brings. To add one: a file with a `PROFILE`, and a place in the list."""

from collections.abc import Sequence

from gates.profiles import generic, go, node, python, rust
from gates.profiles.profile import Profile, Project

# `generic` is the last, because it takes every project.
BUILT_IN: tuple[Profile, ...] = (
    python.PROFILE,
    node.PROFILE,
    go.PROFILE,
    rust.PROFILE,
    generic.PROFILE,
)


def profile_of(project: Project, profiles: Sequence[Profile]) -> Profile:
    """The profile with the strongest sign; of equals the first."""
    return max(profiles, key=lambda profile: profile.detect(project))
