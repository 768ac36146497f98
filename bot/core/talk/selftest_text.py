"""The lines of a self-test: what is tried, and what to do where it does not hold."""

from collections.abc import Sequence

from bot.core.talk.text import inert
from bot.core.values.ids import IssueNumber, Sha
from bot.core.values.selftest import SELF_TEST_WITHIN, Held, TestLine

# Each: the line's name, and the fix.
MAIN = (
    "main can be read",
    "`headgate doctor` looks at the App, its permissions and where it is installed",
)
WORKFLOWS = (
    "the workflows are on main",
    "run `headgate init` in a clone, or merge the first pull request",
)
RULES = (
    "main's rules, as the App sees them",
    "let the App bypass the named rule, or see docs/rules.md for that rule",
)
REFS = (
    "Headgate's own refs, moved by compare-and-swap",
    "let the App bypass the rule that GitHub names",
)
SIGNED = (
    "a commit that GitHub signs",
    "let the App bypass the rule about signatures. On Enterprise Server, an administrator can "
    "instead enable the signing of web commits",
)
SWAP = ("a branch moved by compare-and-swap", REFS[1])
CHECK = ("a check run", "accept the App's permission `checks: write` on the installation's page")
ISSUES = (
    "issues, sub-issues and dependencies",
    "enable issues in the repository's settings, and accept the App's permissions",
)
RUNNER = (
    "a runner with its token, its sandbox and a gate",
    "start a self-hosted runner with the label `headgate` that can reach this server "
    "(docs/install.md)",
)
NOT_STARTED = (
    "enable Actions in the repository's settings (Actions, General), and the workflow on its "
    "page. In a new fork, enable all workflows under the tab Actions"
)
RUNNER_UNFIT = "run `headgate runner doctor` on that runner to see what is missing"
CLEAN = ("removed again", "delete the named items by hand")

TITLE = "Headgate's self-test"
PART_TITLE = "A part of Headgate's self-test"
BODY = "Headgate's self-test opens and closes this issue. There is nothing to do."
COMMENT = "A comment of the self-test."
CHECK_TITLE = "A self-test"
CHECK_SUMMARY = "Nothing was judged."

NOT_THERE = "the pushed ref does not exist"
MOVED_BLINDLY = "GitHub moved a ref although the expected commit was wrong"
NO_SWAP = "GitHub offers no `updateRefs` here, so Headgate pushes with a lease instead"
NOT_FOUND_AGAIN = "the check run could not be read back"
RUNNER_HELD = "an order was leased with GitHub's OIDC token, and its gate passed"


def rules_read(count: int) -> str:
    return f"{count} rules, and none of them refuses a landing"


def signed(sha: Sha) -> str:
    return f"GitHub signed {sha[:10]}"


def unsigned(reason: str) -> str:
    return f"a rule requires signatures, but GitHub's own commit is {reason}"


def unsigned_and_unasked(reason: str) -> str:
    return f"no rule requires it; here GitHub's own commit is {reason}"


def no_main(branch: str) -> str:
    return f"there is no branch {branch}"


def lacks(paths: Sequence[str]) -> str:
    return f"main lacks {', '.join(paths)}"


def runner_late(seconds: int, took_it: bool) -> str:
    seen = "took the order but did not report" if took_it else "did not take the order"
    return f"within {seconds} s a runner {seen}"


def cleaned(refs: int, issues: int) -> str:
    return f"{refs} refs deleted, {issues} issues closed"


def not_installed(full_name: str) -> str:
    return (
        f"This server does not know {full_name}. Is the App installed there, and is `headgate up` "
        "running?"
    )


def under_way(issue: IssueNumber) -> str:
    return f"A self-test is running. Its result appears in #{issue}. Try again after that."


def answer(lines: Sequence[TestLine]) -> str:
    failed = sum(line.held is not Held.YES for line in lines)
    first = f"{failed} of {len(lines)} checks failed." if failed else "All checks passed."
    rows = [f"| {line.held} | {line.name} | {inert(line.says)} | {line.fix} |" for line in lines]
    return "\n".join(
        (f"**{TITLE}**: {first}", "", "| | check | result | fix |", "|---|---|---|---|", *rows)
    )


def no_end() -> str:
    minutes = SELF_TEST_WITHIN.seconds // 60
    return (
        f"**{TITLE}** did not end within {minutes} minutes. Check that the worker for readings "
        "is running (`headgate up`, or `headgate worker readings`). It may have left behind: "
        "refs below `refs/headgate/selftest/`, branches `headgate/selftest-…`, and open issues "
        f'called "{TITLE}".'
    )
