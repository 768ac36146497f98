"""Text from specs, agents and strangers stays inactive in texts of the bot."""

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.adapters.git.inspection import TreeDelta, _Protection, judge_names
from bot.core.talk.checks import gate, path_in_tree
from bot.core.talk.commit import (
    author_of,
    candidate_message,
    head_message,
    taken_over_message,
)
from bot.core.talk.text import cell, code, fenced, inert, marker, plain, quoted, title, with_region
from bot.core.values.candidate import BundleRules
from bot.core.values.ids import RequirementId, Sha
from bot.localhub.web.markdown import render
from gates.result import Annotation, AnnotationLevel, Ending
from tests.core.kit import approved
from tests.core.test_talk_bodies import _bodies
from tests.core.values import requirement, result, spec

# Those of our own commits.
_TRAILERS = (
    *("Requirement", "Spec", "Spec-Version", "Change", "Issue", "Attempt", "Approved-by"),
    "Co-authored-by",
)

LIVE = (
    "![p](https://e.co/p.png) [Approve](https://e.co) ![p](//e.co/p.png) https://e.co www.e.co "
    "<img src=//e.co/p.png> #7 team/x#3 GH-7 @ada\n[x]: https://e.co"
)


@pytest.mark.attack(
    "Images, links, mentions and references in the words of a spec",
    held="`bot.core.talk.text.cell`, `bot.core.talk.text.quoted`",
)
@pytest.mark.parametrize("say", [cell, inert, quoted])
def test_images_links_and_references_are_inactive(say: Callable[[str], str]) -> None:
    said = say(LIVE)
    html = render(said if say is quoted else f"| a |\n|---|\n| {said} |\n", "team/shop")
    for acts in ("<img", "<a ", "href="):
        assert acts not in html
    for acts in ("#7", "#3", "GH-7", "@ada", "](", "https://", "www.e"):
        assert acts not in said


@pytest.mark.attack(
    "Alerts, boxes to tick, formulas, diagrams and suggested edits in the words of a spec or an issue",
    held="`bot.core.talk.text.quoted`, `bot.core.talk.text.cell`: what GitHub would draw is parted",
)
@pytest.mark.parametrize(
    "said",
    [
        "[!CAUTION]", "- [ ] pay Eve", "- [x] paid", "1. [X] paid", "$\\href{x}{y}$", "$$x$$", "$`x`$",
        "```mermaid\nclick A\n```", "- ~~~ math\nx\n~~~", "````suggestion\neval()\n````", "[^1]: note",
        "![a][b]", "ftp://e.co", "HTTPS://e.co", "team/x#3", "GH-7",
    ],
)  # fmt: skip
@pytest.mark.parametrize("say", [cell, inert, quoted])
def test_github_markup_in_quoted_text_is_shown_literally(
    say: Callable[[str], str], said: str
) -> None:
    shown = say(said).replace("&lt;", "<")
    for acts in ("[!", "[ ]", "[x]", "[X]", "$\\", "$$", "$`", "]:", "][", "://", "#3", "GH-7"):
        assert acts not in shown
    if say is quoted:
        assert not re.search(r"(`{3}|~{3}) ?[a-z]", shown)
    words = " ".join(shown.replace("\u200b", "").replace("> ", "").split())
    assert words == " ".join(said.split())


# As GitHub finds them, in the words as it draws them: an address after anything but an ASCII letter.
_ADDRESS = re.compile(
    r"(?<![a-z])(?:https?|ftp)://|(?<![a-z0-9])www\.|(?<![a-z])gh\\?-\d", re.IGNORECASE
)


@pytest.mark.attack(
    "Addresses and references that stand behind a letter of another script, a digit or a sign of emphasis",
    held="`bot.core.talk.text._ACTS`: parted whatever stands before them, and within themselves",
)
@pytest.mark.parametrize(
    "said",
    [
        "_https://e.co_", "1https://e.co", "\u00e9https://e.co", "_ftp://e.co", "\u540dHTTP://e.co",
        "_www.e.co", "x_www.e.co", "~www.e.co~", "*WWW.e.co*", "www.e.co", "_GH-7_", "\u00e9gh-7", "GH\\-7",
    ],
)  # fmt: skip
@pytest.mark.parametrize("say", [cell, inert, quoted, plain])
def test_an_address_is_inactive_after_any_letter(say: Callable[[str], str], said: str) -> None:
    shown = say(f"see {said} now")

    assert _ADDRESS.search(said)
    # A browser takes an address with a gap in it for the one without.
    assert not _ADDRESS.search(shown.replace("www.\u200b", "www."))
    assert shown.replace("\u200b", "").removeprefix("> ") == f"see {said} now"


def test_a_word_that_contains_the_letters_of_a_reference_is_copied_unchanged() -> None:
    assert plain("high-5, http: www and #tag") == "high-5, http: www and #tag"


@pytest.mark.attack(
    "A sentence or a title that begins a fence, a heading, a list or a rule, so that what we say behind it is drawn as another thing",
    held="`bot.core.talk.text.cell`: such a beginning is parted from the line's own",
)
@pytest.mark.parametrize(
    "said",
    [
        "~~~", "~~~ text", "# Landed", "###### x", "#", "> x", "- x", "+ x", "* x", "*", "1. x", "12) x",
        "---", "- - -", "* * *", "___", "===", "=", ":--", "~~~~\nx", "\t# x", "   ~~~",
    ],
)  # fmt: skip
@pytest.mark.parametrize("say", [cell, inert])
def test_quoted_text_never_starts_a_markdown_block(say: Callable[[str], str], said: str) -> None:
    shown = say(said)

    assert shown == f"\u200b{' '.join(said.split())}"
    behind = render(f"Before\n{shown}\n\n- a `b`\n\n{shown}\n| a |\n", "team/shop")
    assert behind.count("<li>") == 1
    assert not re.search("<(?:h[1-6]|pre|hr|ol|table)", behind)


@pytest.mark.parametrize(
    "said", ["**bold** word", "*em*", "_em_", "-5 pence", "#tag", "1.5 s", "~ 5", "== x"]
)
def test_a_harmless_line_start_is_copied_unchanged(said: str) -> None:
    assert cell(said) == said


def test_a_price_is_copied_unchanged() -> None:
    assert quoted("It costs $5.\nIt saves $6.") == "> It costs $5.\n> It saves $6."


@pytest.mark.attack(
    "Words of a spec that end a hidden comment of ours, or begin one, so that what follows is not seen",
    held="`bot.core.talk.text`: no word of others has `<!--` or `<`",
)
@pytest.mark.parametrize("end", ["-->", "--!>", "->", "<!--", "<!---->", "</details>", "<details>"])
@pytest.mark.parametrize("say", [cell, inert, quoted, fenced])
def test_quoted_text_never_opens_an_html_comment_or_details(
    say: Callable[[str], str], end: str
) -> None:
    text = f"{marker('x begins')}\n{say(f'a {end} headgate:x ends {end} b')}\n{marker('x ends')}"
    assert with_region(f"{text}\nbehind", "x", "new").endswith(f"{marker('x ends')}\nbehind")
    shown = say(f"a {end} b")
    assert "<!--" not in shown
    assert say is fenced or not re.search("<[/!a-z]", shown)


@pytest.mark.attack(
    "A title, a requirement, a path or a person's name that is a trailer: another author, a signature, a skip",
    held="`bot.core.talk.commit`: words of others stand on the lines of our own trailers",
)
@pytest.mark.parametrize(
    "said",
    [
        "Co-authored-by: Eve <eve@e.co>", "x\n\nSigned-off-by: Eve <eve@e.co>", "x\r\nReviewed-by: Eve",
        "x\u2028Acked-by: Eve", "x\x0bAcked-by: Eve", "x\x85Acked-by: Eve", "---\nSigned-off-by: Eve",
    ],
)  # fmt: skip
def test_quoted_text_never_becomes_a_commit_trailer(said: str) -> None:
    world = approved(spec(requirement("A", "cart")))
    change = world.change("A")
    named = change.planned.replace(title=said, requirements=(RequirementId(said),))
    change = replace(change, planned=named, authors=("Ada <ada@e.org>", f"{said} <b@e.org>"))
    run = replace(world.run, path=said)
    for message in (
        candidate_message(run, change, "Ada <ada@e.org>"),
        head_message(run, change),
        taken_over_message(run, change),
    ):
        read = subprocess.run(
            ("git", "interpret-trailers", "--parse"),
            input=message,
            capture_output=True,
            text=True,
            check=True,
        )
        keys = [line.partition(":")[0] for line in read.stdout.splitlines()]
        assert set(keys) <= {*_TRAILERS}
        assert keys.count("Co-authored-by") <= 1
        assert all(len(line.splitlines()) < 2 for line in message.split("\n"))


@pytest.mark.attack(
    "A title with one backtick, which turns what we show as code behind it into links and references",
    held="`bot.core.talk.text.plain`: a backtick without its other one is another character",
)
@pytest.mark.parametrize("said", ["a ` b", "`` ` ``` ` `", "\\` a ` b", "``", "`a` `", "`" * 1_001])
@pytest.mark.parametrize("say", [cell, inert, plain, title])
def test_text_shown_as_code_stays_code(say: Callable[[str], str], said: str) -> None:
    html = render(
        f"- {say(said)} ({code('#7 https://e.co ![p](//e.co/p.png)')}) `own`", "team/shop"
    )

    assert "<a " not in html
    assert "<img" not in html
    assert "<code>own</code>" in html
    assert say("the `flag` of `x`") == "the `flag` of `x`"


@pytest.mark.attack(
    "Control characters and turned text in a title",
    held="`bot.core.talk.text.without_unseen`",
)
def test_a_title_contains_no_direction_changes() -> None:
    assert title("Pay\u202e tnuocca\u2066 now\x1b[31m\x00\x9b") == "Pay tnuocca now[31m"


@pytest.mark.attack(
    "Words of a spec that skip checks or close issues from a commit or pull title",
    held="`bot.core.talk.text.plain`",
)
@pytest.mark.parametrize(
    "said",
    [
        "[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]", "[Skip CI]", "[skip-ci]",
        "[CF-Pages-Skip]", "[ci:skip]", "[skip travis-ci]", "[skip github actions]", "--skip-ci",
        "***NO_CI***", "skip-checks: true", "skip-checks:true", "fixes #1", "Closes: team/x#2", "closes:#5",
        "resolves https://github.com/team/x/issues/3", "fixes GH-4",
    ],
)  # fmt: skip
def test_text_of_a_spec_never_skips_checks_or_closes_issues(said: str) -> None:
    for shown in (plain(f"Add a till {said}"), title(f"Add a till {said}")):
        assert said not in shown
        assert shown.replace("\u200b", "") == f"Add a till {said}"


@pytest.mark.attack(
    "A git author's name that skips checks or closes issues, from the message of the commit that lands",
    held="`bot.core.talk.text.signature`",
)
@pytest.mark.parametrize(
    "name",
    [
        "[skip ci]",
        "skip-checks: true",
        "fixes #1",
        "fixes:#1",
        "***NO_CI***",
        "@ada",
        "Ada #7",
        "team/x#7",
    ],
)
def test_no_name_of_a_person_skips_checks(name: str) -> None:
    said = f"{name} <ada@example.org>"
    world = approved(spec(requirement("A", "cart")))
    change = replace(world.change("A"), authors=("Eve <eve@example.org>", said))
    message = candidate_message(world.run, change, author_of(change))
    (line,) = [one for one in message.splitlines() if "ada@example.org" in one]
    assert name not in line
    assert "fixes:" not in line
    assert line.replace("\u200b", "") == f"Co-authored-by: {said}"


@pytest.mark.attack(
    "A git author's mail address that skips checks or closes issues, from the message of the commit that lands",
    held="`bot.core.talk.text.signature`: an address with such a word is none",
)
@pytest.mark.parametrize(
    "address",
    [
        "***NO_CI***@e.co",
        "a--skip-ci@e.co",
        "[ci-skip]@e.co",
        "fixes:#5@e.co",
        "x#5@e.co",
        "gh-5@e.co",
    ],
)
def test_no_address_of_a_person_skips_checks(address: str) -> None:
    world = approved(spec(requirement("A", "cart")))
    authors = ("Eve <eve@example.org>", f"Ada <{address}>", "Bo <bo+high@example.org>")
    change = replace(world.change("A"), authors=authors)
    message = candidate_message(world.run, change, author_of(change))

    assert address.partition("@")[0] not in message
    assert "\nCo-authored-by: Bo <bo+high@example.org>\n" in message


@pytest.mark.attack(
    "Turned text in the log of a gate, which shows another line than the one that was printed",
    held="`bot.core.talk.text.fenced`",
)
def test_a_log_contains_no_direction_changes() -> None:
    assert fenced("a\u202eb\x1b[31m\0") == "```text\nab[31m\n```"


@pytest.mark.attack(
    "An annotation whose path leads out of the tree",
    held="`bot.core.talk.checks.path_in_tree`",
)
@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("a/./b/../c.py", "a/c.py"),
        ("a\\b.py", "a/b.py"),
        (".github/x.yml", ".github/x.yml"),
        ("a\u202e/b", "a/b"),
        ("..", "unknown"),
    ],
)
def test_an_annotation_path_lies_inside_the_tree(path: str, shown: str) -> None:
    assert path_in_tree(path) == shown


@pytest.mark.attack(
    "A report whose annotation has a line that GitHub refuses, so that nothing of the gate is shown",
    held="`bot.core.talk.checks.gate`: lines and words as GitHub accepts them",
)
def test_an_annotation_has_a_line_that_github_accepts() -> None:
    far = Annotation(
        path="a.py",
        line_start=10**30,
        line_end=10**31,
        level=AnnotationLevel.FAILURE,
        title="Found",
        message="Pay\u202e won",
    )
    (shown,) = gate(replace(result("scan", Ending.FAILED), annotations=(far,))).annotations
    assert shown.line_start == shown.line_end == 10_000_000
    assert shown.message == "Pay won"


@pytest.mark.attack(
    "A protected path with trailing blanks, joiners or a stream",
    held="`bot.adapters.git.inspection`: names as the least careful file system has them",
)
@pytest.mark.parametrize(
    "path",
    [
        "specs /x.md", ".github /x.yml", ".github./x.yml", ".git\u200dhub/x.yml", ".GitHub/x.yml",
        "specs::$INDEX_ALLOCATION/x.md", "specs. ./x.md", "sp\u200cecs/x.md",
        "specs\u2060/x.md", ".git\u00adhub/x.yml", "specs\ufe0f/x.md", ".github\U000e0020/x.yml",
    ],
)  # fmt: skip
def test_a_name_counts_as_the_path_that_a_file_system_folds_it_to(path: str) -> None:
    protection = _Protection(("/.github/", "/specs/"))
    assert protection.covers(path)
    assert not protection.covers("src/specs of mine/x.md")


@pytest.mark.attack(
    "A file whose name Windows takes for a protected one, is shown as another one, or ends a line",
    held="`bot.adapters.git.inspection.judge_names`: such a name is kept out of the tree",
)
@pytest.mark.parametrize(
    "name",
    [
        "GITHUB~1/workflows/x.yml", "src/CLAUDE~1.MD", "git~2", "a/b~12345", "src/gpj.\u202eexe.py",
        "a\u2066b", "a\u2028b", "a\x1b[2Jb", "a\x85b", "a\nb", ".git\u2060/config", "x/.g\u00adit",
    ],
)  # fmt: skip
def test_a_name_is_the_same_wherever_it_is_read(name: str) -> None:
    rules = BundleRules(start_sha=Sha("0" * 40), protected=())
    kept = TreeDelta(b"src/notes~.txt", "100644", Sha("1" * 40))
    hostile = TreeDelta(name.encode(), "100644", Sha("2" * 40))

    assert [*judge_names([kept, hostile], rules)] == [hostile]


@pytest.mark.attack(
    "Escapes of a terminal, and characters that turn a line around, in whatever others can write",
    held="`bot.core.talk.text.without_unseen`, below every text that the bot writes",
)
def test_control_characters_of_others_appear_in_no_text() -> None:
    unseen = "\x1b\x07\x00\r\x7f\x85\x9b\u2028\u2029\u202a\u202e\u2066\u2069\u200e\u200f\u061c"
    for name, body in _bodies("".join(f"a{one}" for one in unseen)).items():
        assert not set(body) & set(unseen), name
