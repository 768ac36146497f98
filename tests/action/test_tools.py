"""What the built-in agent's tools answer; the shell runs for real, without walls."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from action.agents import edit_program
from action.agents.budget import Budget
from action.agents.contracts import Contracts
from action.agents.edit_program import Edit, EditRefusedError, perform
from action.agents.rounds import Rounds
from action.agents.shell_line import wants_terminal
from action.agents.shown_output import HALF_CHARACTERS
from action.agents.tools import BASH, EDIT, ToolAnswer, Tools
from action.order import AgentSettings
from action.report import SandboxKind
from action.sandbox.sandbox import Limits, Sandbox
from action.sandbox.view import View


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[Tools]:
    home = tmp_path / "home"
    tree = tmp_path / "tree"
    home.mkdir()
    tree.mkdir()
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    sandbox = Sandbox(SandboxKind.NONE, View(shown=(), links=(), env=env), (), Limits())
    yield Tools(sandbox, tree, no_rounds(sandbox, tree))
    sandbox.end()


def no_rounds(sandbox: Sandbox, tree: Path) -> Rounds:
    return Rounds((), sandbox, tree, Budget(AgentSettings()))


def bash(tools: Tools, command: str, **given: object) -> ToolAnswer:
    return tools.use(BASH, {"command": command, **given}, 60.0)


def test_a_denied_command_is_not_run(tools: Tools) -> None:
    tools.rounds.contracts = Contracts(deny=("touch*",))
    answer = bash(tools, "cd . && touch made; ls")
    assert answer.is_error
    assert "`touch made` is denied here" in answer.text
    assert bash(tools, "ls").text == "[no output]"


def test_long_output_is_shown_with_its_beginning_and_its_end(tools: Tools) -> None:
    answer = bash(tools, "echo first error; seq 1 60000; echo last line")

    assert answer.text.startswith("first error\n1\n2\n")
    assert answer.text.endswith("60000\nlast line")
    assert "bytes left out here" in answer.text
    assert len(answer.text) < 2 * HALF_CHARACTERS + 200


def test_the_number_of_omitted_characters_is_shown(tools: Tools) -> None:
    answer = bash(tools, "seq 1 3600")

    counted = re.search(r"\[… ([\d,]+) characters left out here.*\]\n", answer.text)
    assert counted is not None
    shown = len(answer.text) - len(counted[0]) - len("\n")
    # The last line end is not shown.
    whole = len("".join(f"{n}\n" for n in range(1, 3_601))) - 1
    assert int(counted[1].replace(",", "")) + shown == whole


@pytest.mark.parametrize("lines", [400, 5_000])
def test_a_word_at_a_cut_is_omitted_completely(tools: Tools, lines: int) -> None:
    """It may be a secret, and no rule recognises half of a secret."""
    key = "k" * 40
    answer = bash(tools, f"seq 1 {lines} | sed s/^/{key}/")

    beside = answer.text.partition("\n[… ")[0].split() + answer.text.partition(" …]\n")[2].split()
    assert all(word.startswith(key) for word in beside)


def test_binary_output_is_not_shown(tools: Tools) -> None:
    answer = bash(tools, "head -c 5000 /dev/zero")
    assert answer.text == "[5000 bytes that are no text]"


def test_a_command_gets_the_requested_time_limit(tools: Tools) -> None:
    answer = bash(tools, "sleep 30", timeout_seconds=1)

    assert answer.is_error
    assert "ended after 1 s; if it waits for input: there is none" in answer.text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"cmd": "ls"}, "`cmd` (extra inputs are not permitted)"),
        ({"command": "ls", "timeout": 5}, "`timeout`"),
        ({"command": "ls", "timeout_seconds": 6000}, "less than or equal to 600"),
        ({}, "`command` is missing"),
        ("ls", "The keys are `command`, `timeout_seconds`, `restart`."),
    ],
)
def test_an_invalid_tool_input_is_answered_with_the_valid_keys(
    tools: Tools, given: object, said: str
) -> None:
    answer = tools.use(BASH, given, 60.0)
    assert answer.is_error
    assert said in answer.text


def test_an_unknown_tool_is_answered_with_the_available_tools(tools: Tools) -> None:
    assert tools.use("grep", {}, 60.0).text == f"There is no tool grep; there are {BASH}, {EDIT}."


@pytest.mark.parametrize(
    "line",
    [
        "cd sub && export COLOUR=red",
        "trap 'echo bye' EXIT; cd sub; export COLOUR=red",
        "trap 'echo bye' 0 INT; cd sub; export COLOUR=red; exit 3",
        "set -e; trap 'echo bye' EXIT; cd sub; export COLOUR=red; false; echo never",
        "trap 'exit 5' EXIT; cd sub; export COLOUR=red",
        "trap - EXIT; cd sub; export COLOUR=red",
    ],
)
def test_folder_and_variables_survive_a_users_trap(tools: Tools, line: str) -> None:
    bash(tools, "mkdir sub")
    bash(tools, line)
    assert bash(tools, "basename $PWD; echo $COLOUR").text == "sub\nred"


def test_a_users_trap_still_runs(tools: Tools) -> None:
    assert "bye" in bash(tools, "trap 'echo bye' EXIT; echo at work").text
    assert "[ended with code 5]" in bash(tools, "trap 'exit 5' EXIT; true").text
    assert bash(tools, "trap 'echo caught' USR1; kill -USR1 $$; trap -p USR1").text == (
        "caught\ntrap -- 'echo caught' SIGUSR1"
    )


def test_a_subshell_keeps_its_folder_for_itself(tools: Tools) -> None:
    bash(tools, "mkdir sub; (trap 'true' EXIT; cd sub)")
    assert bash(tools, "basename $PWD").text == "tree"


@pytest.mark.parametrize(
    "line",
    [
        "vim shop.py",
        "cd src && nano x",
        "EDITOR=x vi a",
        "top",
        "sudo htop",
        "for f in *; do emacs $f; done",
        "watch -n1 date",
    ],
)
def test_a_command_that_needs_a_terminal_is_refused_at_once(tools: Tools, line: str) -> None:
    answer = bash(tools, line)
    assert answer.is_error
    assert "wants a terminal, and there is none" in answer.text


@pytest.mark.parametrize(
    "line",
    [
        "vim -es -c wq shop.py",
        "emacs --batch -l x.el",
        "top -b -n 1",
        "which vim",
        "top=5; echo $top",
        "git commit -m 'first\ntop level names'",
        "cat >notes <<'END'\ntop of the list\nEND",
        "ls watch",
    ],
)
def test_a_command_that_ends_by_itself_is_run(line: str) -> None:
    assert wants_terminal(line) is None


def test_no_command_waits_for_an_editor_or_a_pager(tools: Tools) -> None:
    answer = bash(
        tools,
        "git init -q .; git config user.email a@b.c; git config user.name a; echo x >x; git add x;"
        " git commit; git log --all; echo went on",
    )
    assert answer.text.endswith("went on")
    assert "problem with the editor" in answer.text


def edited(tree: Path, edit: Edit) -> str:
    return perform(edit, tree)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/nowhere")
    return tmp_path


def test_an_edit_answers_with_the_lines_around_it(tree: Path) -> None:
    (tree / "a").write_text("".join(f"line {n}\n" for n in range(1, 21)))

    told = edited(
        tree, {"command": "str_replace", "path": "a", "old_str": "line 10\n", "new_str": "x\ny\n"}
    )

    assert "     6\tline 6\n" in told
    assert "    10\tx\n    11\ty\n" in told
    assert "line 5\n" not in told


def test_an_insertion_answers_with_the_lines_around_it(tree: Path) -> None:
    (tree / "a").write_text("one\ntwo")

    told = edited(
        tree, {"command": "insert", "path": "a", "insert_line": 2, "insert_text": "three"}
    )

    assert told.endswith("     1\tone\n     2\ttwo\n     3\tthree\n")
    assert (tree / "a").read_text() == "one\ntwo\nthree\n"


def test_an_ambiguous_text_is_answered_with_its_lines(tree: Path) -> None:
    (tree / "a").write_text("def f():\n    return 1\n\ndef g():\n    return 1\n")

    with pytest.raises(EditRefusedError, match="occurs 2 times") as refused:
        edited(tree, {"command": "str_replace", "path": "a", "old_str": "return 1", "new_str": "2"})

    assert "     2\t    return 1\n     5\t    return 1\n" in str(refused.value)


def test_viewed_text_can_be_replaced_in_a_file_with_carriage_returns(tree: Path) -> None:
    (tree / "a").write_bytes(b"one\r\ntwo\r\nthree\r\n")

    edited(
        tree,
        {"command": "str_replace", "path": "a", "old_str": "one\ntwo\n", "new_str": "1\n2\n"},
    )
    edited(tree, {"command": "insert", "path": "a", "insert_line": 1, "insert_text": "more"})

    assert (tree / "a").read_bytes() == b"1\r\nmore\r\n2\r\nthree\r\n"


def test_lines_are_counted_as_grep_counts_them(tree: Path) -> None:
    (tree / "a").write_text("one\x0cstill one\u2028still\ntwo\n")

    told = edited(tree, {"command": "view", "path": "a"})

    assert told.splitlines(keepends=False)[-1] == "     2\ttwo"


def test_a_long_file_is_cut_at_a_line_and_says_where(tree: Path) -> None:
    (tree / "a").write_text("".join(f"{'x' * 90}\n" for _ in range(1_000)))

    told = edited(tree, {"command": "view", "path": "a"})

    assert len(told) < edit_program.VIEW_CHARACTERS_MAX + 200
    assert "of 1000: ask for a view_range]" in told


def test_unknown_keys_of_an_edit_are_answered_with_the_valid_ones(tree: Path) -> None:
    with pytest.raises(EditRefusedError, match=r"Unknown: file\. The keys are command, path"):
        edited(tree, {"command": "view", "file": "a"})  # type: ignore[typeddict-unknown-key]


def test_a_view_of_missing_lines_is_refused(tree: Path) -> None:
    (tree / "a").write_text("one\n")
    with pytest.raises(EditRefusedError, match="the file has 1"):
        edited(tree, {"command": "view", "path": "a", "view_range": [5, 9]})
