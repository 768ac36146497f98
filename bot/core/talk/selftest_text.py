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
WORKFLOWS = ("the workflows are on main", "`headgate init` in a clone, or merge the first pull")
RULES = (
    "main's rules, read as the App",
    "give the App a bypass in the rule that is named, or what docs/rules.md says of it",
)
REFS = (
    "own refs, moved from what is expected",
    "give the App a bypass in the rule that GitHub names",
)
SIGNED = (
    "a commit that GitHub signs",
    "give the App a bypass in the rule about signatures; on Enterprise Server an administrator can "
    "switch on the signing of commits that are made on the web",
)
SWAP = ("a branch moved by compare-and-swap", REFS[1])
CHECK = ("a check run", "accept the App's permission `checks: write` where it is installed")
ISSUES = (
    "issues, sub-issues and dependencies",
    "switch issues on in the repository's settings, and accept the App's permissions",
)
RUNNER = (
    "a runner with its token, its sandbox and a gate",
    "start a self-hosted runner labelled `headgate` that reaches this server (docs/install.md)",
)
NOT_STARTED = (
    "enable Actions in the repository's settings (Actions, General), and the workflow on its page; "
    "those of a new fork together, under its tab Actions"
)
RUNNER_UNFIT = "`headgate runner doctor` on that runner names what is missing"
CLEAN = ("removed again", "delete by hand what is named")

TITLE = "Headgate's self-test"
PART_TITLE = "A part of Headgate's self-test"
BODY = "Headgate's self-test opens and closes this issue; nothing is to be done."
COMMENT = "A comment of the self-test."
CHECK_TITLE = "A self-test"
CHECK_SUMMARY = "Nothing was judged."

NOT_THERE = "what was pushed is not there"
MOVED_BLINDLY = "a ref was moved from another commit than the one expected"
NO_SWAP = "GitHub offers no `updateRefs` here: a push with a lease takes its place"
NOT_FOUND_AGAIN = "the check run is not found again"
RUNNER_HELD = "an order was leased with GitHub's OIDC token, and its gate passed"


def rules_read(count: int) -> str:
    return f"{count} rules, none of which refuses a landing"


def signed(sha: Sha) -> str:
    return f"GitHub signed {sha[:10]}"


def unsigned(reason: str) -> str:
    return f"a rule asks for signatures, and GitHub's own commit is {reason}"


def unsigned_and_unasked(reason: str) -> str:
    return f"no rule asks for it; here GitHub's own commit is {reason}"


def no_main(branch: str) -> str:
    return f"there is no branch {branch}"


def lacks(paths: Sequence[str]) -> str:
    return f"main lacks {', '.join(paths)}"


def runner_late(seconds: int, took_it: bool) -> str:
    seen = "took the order and did not report" if took_it else "took no order"
    return f"within {seconds} s a runner {seen}"


def cleaned(refs: int, issues: int) -> str:
    return f"{refs} refs deleted, {issues} issues closed"


def not_installed(full_name: str) -> str:
    return (
        f"This server does not know {full_name}. Is the App installed there, and is `headgate up` "
        "running?"
    )


def under_way(issue: IssueNumber) -> str:
    return f"A self-test is under way; its answer comes in #{issue}. Ask again after it."


def answer(lines: Sequence[TestLine]) -> str:
    failed = sum(line.held is not Held.YES for line in lines)
    first = f"{failed} of {len(lines)} did not hold." if failed else "Everything held."
    rows = [f"| {line.held} | {line.name} | {inert(line.says)} | {line.fix} |" for line in lines]
    return "\n".join(
        (f"**{TITLE}**: {first}", "", "| | tried | seen | fix |", "|---|---|---|---|", *rows)
    )


def no_end() -> str:
    minutes = SELF_TEST_WITHIN.seconds // 60
    return (
        f"**{TITLE}** did not come to its end within {minutes} minutes. Is the worker for readings "
        "running (`headgate up`, or `headgate worker readings`)? What may be left of it: refs "
        "below `refs/headgate/selftest/`, branches `headgate/selftest-…`, and open issues "
        f'called "{TITLE}".'
    )
