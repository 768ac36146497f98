"""The pull that Headgate opens first in a repository, its check run, and the greeting."""

from collections.abc import Iterable, Mapping

from bot.core.talk.links import new_file
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.repository import RepositoryFacts

CHECK_NAME = "headgate/onboarding"


# Where a policy is looked for by people, and not by Headgate.
OTHER_PLACES = (
    *(".github/headgate.yaml", "headgate.yml", "headgate.yaml", ".headgate.yml", ".headgate.yaml"),
    *(".headgate/headgate.yml", ".headgate/policy.yml", ".github/workflows/headgate.yml"),
)


def pull_title() -> str:
    return "Set up Headgate"


def pull_body() -> str:
    return (
        "Headgate lands a change only after your gates have judged it. This pull request "
        "proposes the first policy, `.github/headgate.yml`. It contains gates, setup commands "
        "and the hosts that setup may connect to, guessed from the files of this repository. "
        "**Check the commands and correct mistakes** (you can edit the file here).\n\n"
        "What happens next:\n\n"
        "1. Add the two files below. `headgate/onboarding`, the check of this pull request, "
        "turns green when all files are there.\n2. Merge. A self-test then checks what "
        "Headgate needs here. No other work starts, and no money is spent.\n3. Push a spec to "
        "the default branch. Headgate opens an issue with a plan, and waits for `/headgate "
        "approve`."
    )


def misplaced(paths: Iterable[str]) -> str:
    """About files that look like a policy, in places where none is read."""
    found = sorted(set(OTHER_PLACES).intersection(paths))
    if not found:
        return ""
    named = ", ".join(f"`{path}`" for path in found)
    are, they = ("is", "it") if len(found) == 1 else ("are", "them")
    return (
        f"**{named} {are} not read.** Headgate reads its policy from `.github/headgate.yml` on "
        "the default branch alone. Copy your settings into the file of this pull request, and "
        f"delete {they}."
    )


def workflow_part(facts: RepositoryFacts, branch: str, files: Mapping[str, str]) -> str:
    """How a person adds the files that Headgate may not write."""
    if not files:
        return ""
    lines = [
        "Headgate is not allowed to write workflows, so please add them. Each link opens a new "
        "file with the full text; commit it to this branch. (`headgate init` in a clone writes "
        "both.)",
        "",
        *(
            f"- [Add `{path}`]({new_file(facts, branch, path, text)})"
            for path, text in files.items()
        ),
    ]
    return "\n".join(lines)


def check(facts: RepositoryFacts, branch: str, missing: Mapping[str, str]) -> CheckRunText:
    """Waits while files are missing: what is not there is no failure of anybody."""
    if missing:
        return CheckRunText(
            name=CHECK_NAME,
            conclusion=None,
            title=f"{len(missing)} file{'s' if len(missing) > 1 else ''} missing",
            summary=workflow_part(facts, branch, missing),
        )
    return CheckRunText(
        name=CHECK_NAME,
        conclusion=Conclusion.SUCCESS,
        title="All files are there",
        summary="The policy and both workflows are there. Merging this pull request only starts a "
        "self-test, which uses no model.",
    )


def still_missing(facts: RepositoryFacts, missing: Mapping[str, str]) -> str:
    """A comment where the pull was merged before all files were there."""
    listed = "\n".join(
        f"- [Add `{path}`]({new_file(facts, facts.default_branch, path, text)})"
        for path, text in missing.items()
    )
    return (
        "The policy is merged. No order can start yet, because the default branch lacks:\n\n"
        f"{listed}\n\n"
        "Headgate checks again, and comments here when all files are there."
    )


def greeting() -> str:
    return (
        "Hello! Headgate is ready here: the policy and both workflows are on the default "
        "branch. A self-test of GitHub, a runner and its sandbox is running. It opens two "
        "issues and closes them. Its result appears here within two minutes. To repeat it, "
        "comment `/headgate selftest`.\n\n"
        "Push a spec (for example `specs/NAME.md`, or an OpenSpec folder "
        "`openspec/changes/NAME/`), or write one in an issue with the label `headgate:spec`. "
        "Headgate then opens a tracking issue with a plan. No work starts, and no money is "
        "spent, before a person comments `/headgate approve` there. To plan a spec that is "
        "already here, comment `/headgate run PATH` in any issue."
    )
