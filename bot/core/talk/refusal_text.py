"""What people are told where GitHub refuses a push: what happened, and what to do next."""

from bot.core.talk.text import code, inert
from bot.core.values.github_refusal import GitHubRefusal, RefusalKind

_SAID = {
    RefusalKind.WORKFLOWS: "GitHub does not accept changed workflows from an App without the `workflows` "
    "permission",
    RefusalKind.PUSH_PROTECTION: "GitHub's push protection found what looks like a secret",
    RefusalKind.LARGE_FILE: "GitHub does not accept files larger than 100 MB",
    RefusalKind.RULE: "A rule of this repository refuses the push",
    RefusalKind.UNSIGNED: "A rule of this repository requires signed commits, and GitHub did not sign "
    "the one that it made for Headgate",
    RefusalKind.IN_THE_WAY: "A branch has the same name as the folder of Headgate's branches",
    RefusalKind.STALE: "Another process moved the ref at the same time",
    RefusalKind.ACCESS: "GitHub does not let Headgate push here",
    RefusalKind.OTHER: "GitHub refused the push",
}

_NEXT = {
    RefusalKind.WORKFLOWS: "Headgate makes the commit again with the default branch's workflows.",
    RefusalKind.PUSH_PROTECTION: "If it is not a secret, allow it on GitHub{}. If it is a secret, revoke it and comment "
    "`/headgate retry`: an agent does the work again without it.",
    RefusalKind.LARGE_FILE: "Comment `/headgate retry`: an agent does the work again without it.",
    RefusalKind.RULE: "Add Headgate's App to the bypass list of that rule, or change the rule.",
    RefusalKind.UNSIGNED: "Add Headgate's App to the bypass list of that rule. On GitHub Enterprise Server, an "
    "administrator can instead enable the signing of web commits.",
    RefusalKind.IN_THE_WAY: "Rename or delete that branch.",
    RefusalKind.STALE: "Headgate tries again.",
    RefusalKind.ACCESS: "Give the App's installation `contents: write` for this repository, and check that the "
    "repository is not archived.",
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
    return f"{_SAID[refusal.kind]}{where}. Do the work without that."


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
        f"The base branch of #{number} is now {code(base)}, but a change can land only on "
        f"{code(main)}. Set its base branch back to {code(main)}. Headgate tries again in a few "
        "minutes."
    )
