"""The pull that proposes a first policy file to a repository without gates.

Gates, set-up and the hosts that set-up reaches are what the project's profile proposes, by the files at
the top of the tree. They count only once a person merges the pull.
"""

import json
from collections.abc import Collection, Mapping, Sequence

from gates.profiles.built_in import BUILT_IN, profile_of
from gates.profiles.profile import GO_BY_NAMES, OWN_GATES, LockFile, Profile, Project

OFFER_BRANCH = "headgate/first-gates"

# Lists that changes add lines to, in no order that matters to a merge.
_LISTS = ("CHANGELOG.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "AUTHORS", "CONTRIBUTORS.md")


def read_for_policy(profiles: Sequence[Profile]) -> tuple[str, ...]:
    """The files at the top of a tree whose text says more than their name."""
    return tuple(dict.fromkeys(path for profile in profiles for path in profile.reads))


def first_policy(
    paths: Collection[str],
    texts: Mapping[str, str] | None = None,
    profiles: Sequence[Profile] = BUILT_IN,
) -> str:
    """A policy file for a tree with these paths; its gate is `make test` if no path is known.

    `texts` are those of `read_for_policy` that are there. A plugin's profile may raise.
    """
    project = Project(paths, texts or {})
    chosen = profile_of(project, profiles)
    found = chosen.propose(project)
    lines = ["version: 1"]
    if found.setup:
        lines += ["setup:", *(f"  - {json.dumps(command)}" for command in found.setup)]
    each = dict.fromkeys(lock for profile in (chosen, *profiles) for lock in profile.locks)
    locks = [lock for lock in each if lock.name in paths]
    hosts = dict.fromkeys((*found.egress, *(host for lock in locks for host in lock.egress)))
    if hosts:
        lines += ["# Hosts that `setup` and the commands under `merge` may connect to.", "egress:"]
        lines += [f"  - {host}" for host in hosts]
    lines.append("gates:")
    for gate in found.gates:
        lines += [f"  {gate.name}:", f"    run: {json.dumps(gate.command)}", "    judges: tree"]
        if gate.junit:
            lines.append("    junit: true")
    has_names = any(gate.junit for gate in found.gates)
    for name in OWN_GATES:
        if has_names or name not in GO_BY_NAMES:
            lines += [f"  {name}:", f"    builtin: {name}"]
    if chosen.tests is not None and chosen not in BUILT_IN:
        lines += ["languages:", f"  {chosen.name}: {json.dumps(str(chosen.version))}"]
    return "\n".join((*lines, *_merge_rules(paths, locks), ""))


def _merge_rules(paths: Collection[str], locks: Sequence[LockFile]) -> list[str]:
    listed = [name for name in _LISTS if name in paths]
    if not listed and not locks:
        return []
    lines = ["merge:", *(f"  {name}: union" for name in listed)]
    for lock in locks:
        lines += [f"  {lock.name}:", f"    run: {json.dumps(lock.remake)}"]
    return lines


def offer_title() -> str:
    return "Add the first gates for Headgate"


def offer_body(tracking_issue: int | None) -> str:
    wanted = f" The plan in #{tracking_issue} waits for this file." if tracking_issue else ""
    return (
        "Headgate lands a change only after gates have judged it, and this repository has no "
        "gates yet. This file is a proposal, guessed from the files in the top folder. Check "
        f"the commands, correct mistakes, and merge this pull request.{wanted}"
    )
