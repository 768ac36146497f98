"""What people are told where GitHub refuses a push: what happened, and what to do next."""

from bot.core.talk.text import code, inert
from bot.core.values.github_refusal import GitHubRefusal, RefusalKind

_SAID = {
    RefusalKind.WORKFLOWS: "GitHub takes workflows that differ from the default branch's from no App "
    "without the `workflows` permission",
    RefusalKind.PUSH_PROTECTION: "GitHub's push protection found what looks like a secret",
    RefusalKind.LARGE_FILE: "GitHub takes no file over 100 MB",
    RefusalKind.RULE: "A rule of this repository refuses the push",
    RefusalKind.UNSIGNED: "A rule of this repository requires signed commits, and GitHub did not sign "
    "the one that it made for Headgate",
    RefusalKind.IN_THE_WAY: "A branch has the name of the folder that Headgate's branches are in",
    RefusalKind.STALE: "The ref was moved by somebody else meanwhile",
    RefusalKind.ACCESS: "GitHub does not let Headgate push here",
    RefusalKind.OTHER: "GitHub refused the push",
}

_NEXT = {
    RefusalKind.WORKFLOWS: "Headgate makes the commit again with the default branch's workflows.",
    RefusalKind.PUSH_PROTECTION: "If it is none, allow it on GitHub{}. If it is one, revoke it, and comment "
    "`/headgate retry`: an agent does the work again without it.",
    RefusalKind.LARGE_FILE: "Comment `/headgate retry`: an agent does the work again without it.",
    RefusalKind.RULE: "Add Headgate's App to the bypass list of that rule, or change the rule.",
    RefusalKind.UNSIGNED: "Add Headgate's App to the bypass list of that rule; on GitHub Enterprise Server "
    "an administrator can also switch on the signing of commits that are made on the web.",
    RefusalKind.IN_THE_WAY: "Rename or delete that branch.",
    RefusalKind.STALE: "Headgate looks again.",
    RefusalKind.ACCESS: "Give the App's installation `contents: write` for this repository, and see "
    "that it is not archived.",
    RefusalKind.OTHER: "Correct what GitHub names.",
}

_WORDS_SHOWN = 600


def refusal_text(refusal: GitHubRefusal) -> str:
    """One sentence of what happened, one of what to do next, and GitHub's own words."""
    words = inert(refusal.words, _WORDS_SHOWN).rstrip(".")
    return f"{refusal_in_short(refusal)} GitHub says: {words}."


def refusal_in_short(refusal: GitHubRefusal) -> str:
    where = f": {', '.join(code(p) for p in refusal.paths)}" if refusal.paths else ""
    link = f" ({refusal.link})" if refusal.link else ""
    return f"{_SAID[refusal.kind]}{where}. {_NEXT[refusal.kind].format(link)}"


def refused_work(refusal: GitHubRefusal) -> str:
    """What an agent is told of work that was dropped."""
    where = f": {', '.join(refusal.paths)}" if refusal.paths else ""
    return f"{_SAID[refusal.kind]}{where}. Do it without that."


def landing_refused(refusal: GitHubRefusal) -> str:
    words = refusal.words.rstrip(".")
    if refusal.kind is RefusalKind.OTHER:
        return f"GitHub refused to move main: {words}."
    return f"GitHub refused to move main: {words}. {_NEXT[refusal.kind].format('')}"


def not_signed(reason: str) -> GitHubRefusal:
    """GitHub made a commit of ours without the signature that a rule asks for."""
    return GitHubRefusal(kind=RefusalKind.UNSIGNED, words=f"the commit is {reason}")


def other_base(number: int, base: str, main_ref: str) -> str:
    """A person has given a change's pull another base branch."""
    main = main_ref.removeprefix("refs/heads/")
    return (
        f"#{number} asks for {code(base)} now, and a change lands on {code(main)} alone. Set its base "
        f"back to {code(main)}; Headgate looks again in a few minutes."
    )
