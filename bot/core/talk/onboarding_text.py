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
    return "Begin with Headgate"


def pull_body() -> str:
    return (
        "Headgate lands a change only after your gates have judged it. This pull proposes the first "
        "policy, `.github/headgate.yml`: gates, set-up and the hosts that set-up may reach, guessed "
        "from the files of this repository. **Check the commands and correct what is wrong** "
        "(you can edit the file here).\n\n"
        "What happens next:\n\n"
        "1. Add the two files below. `headgate/onboarding`, the check of this pull, turns green when "
        "all is there.\n"
        "2. Merge. A self-test tries what Headgate needs here; nothing else starts, and nothing is spent.\n"
        "3. Push a spec to the default branch. Headgate opens an issue with a plan, and waits for "
        "`/headgate approve`."
    )


def misplaced(paths: Iterable[str]) -> str:
    """About files that look like a policy, in places where none is read."""
    found = sorted(set(OTHER_PLACES).intersection(paths))
    if not found:
        return ""
    named = ", ".join(f"`{path}`" for path in found)
    are, they = ("is", "it") if len(found) == 1 else ("are", "them")
    return (
        f"**{named} {are} not read.** Headgate reads its policy from `.github/headgate.yml` on the default branch "
        f"alone. Take what you wrote there into the file of this pull, and delete {they}."
    )


def workflow_part(facts: RepositoryFacts, branch: str, files: Mapping[str, str]) -> str:
    """How a person adds the files that Headgate may not write."""
    if not files:
        return ""
    lines = [
        "Headgate may not write workflows, so a person adds them; each link opens a new file that "
        "is filled in, to be committed to this branch. (`headgate init` in a clone writes both.)",
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
        title="All is there",
        summary="The policy and both workflows are there. Merging this pull starts a self-test, which "
        "costs no model, and nothing else.",
    )


def still_missing(facts: RepositoryFacts, missing: Mapping[str, str]) -> str:
    """A comment where the pull was merged before all files were there."""
    listed = "\n".join(
        f"- [Add `{path}`]({new_file(facts, facts.default_branch, path, text)})"
        for path, text in missing.items()
    )
    return (
        "The policy is merged. No order can start yet, because the default branch lacks:\n\n"
        f"{listed}\n\nHeadgate looks again, and says so here when all is there."
    )


def greeting() -> str:
    return (
        "Hello! Headgate is ready here: the policy and both workflows are on the default branch. A "
        "self-test of GitHub, a runner and its sandbox is under way; what it finds comes next, within two "
        "minutes. It opens two issues and closes them. `/headgate selftest` in a comment repeats it.\n\n"
        "Push a spec (for example `specs/NAME.md`, or an OpenSpec folder `openspec/changes/NAME/`), "
        "or write one in an issue with the label `headgate:spec`. Headgate then opens a tracking "
        "issue with a plan; nothing starts, and nothing is spent, before somebody comments "
        "`/headgate approve` there. Specs that are here already are known: `/headgate run PATH` in "
        "any issue plans one."
    )
