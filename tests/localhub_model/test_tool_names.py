"""Scripted calls are translated into the tools that a request offers."""

import subprocess
from pathlib import Path

import pytest
from pydantic import JsonValue

from bot.localhub.model_server.conversation import RequestError
from bot.localhub.model_server.script import Bash, Call, Create, Edit, Insert, StrReplace, View
from bot.localhub.model_server.tool_names import as_tool_call


@pytest.mark.parametrize(
    ("tools", "name", "asked"),
    [
        (("bash",), "bash", {"command": "ls"}),
        (("Read", "Bash"), "Bash", {"command": "ls", "description": "Work on the change"}),
        (("shell",), "shell", {"command": ["bash", "-lc", "ls"]}),
        (("exec_command",), "exec_command", {"cmd": "ls"}),
    ],
)
def test_a_command_uses_the_offered_shell(
    tools: tuple[str, ...], name: str, asked: dict[str, JsonValue]
) -> None:
    call = as_tool_call(Call(bash=Bash(command="{{what}}")), tools, {"what": "ls"})
    assert (call.name, call.input) == (name, asked)


def test_an_edit_uses_the_edit_tool_if_offered() -> None:
    edit = Create(command="create", path="a", file_text="{{x}}")
    call = as_tool_call(Call(edit=edit), ("bash", "str_replace_based_edit_tool"), {"x": "y"})
    assert call.input == {"command": "create", "path": "a", "file_text": "y"}


@pytest.mark.parametrize(
    ("edit", "exit_code", "content"),
    [
        (Create(command="create", path="sub/new", file_text="it's\n"), 0, "one\ntwo\n"),
        (StrReplace(command="str_replace", path="a", old_str="two", new_str="2"), 0, "one\n2\n"),
        (StrReplace(command="str_replace", path="a", old_str="o", new_str="0"), 1, "one\ntwo\n"),
        (Insert(command="insert", path="a", insert_line=1, insert_text="x\n"), 0, "one\nx\ntwo\n"),
        (View(command="view", path="a"), 0, "one\ntwo\n"),
    ],
)
def test_an_edit_becomes_a_shell_command_without_an_edit_tool(
    tmp_path: Path, edit: Edit, exit_code: int, content: str
) -> None:
    (tmp_path / "a").write_text("one\ntwo\n")
    command = as_tool_call(Call(edit=edit), ("bash",), {}).input["command"]
    ended = subprocess.run(["bash", "-c", str(command)], cwd=tmp_path, check=False)
    assert ended.returncode == exit_code
    assert (tmp_path / "a").read_text() == content
    if isinstance(edit, Create):
        assert (tmp_path / edit.path).read_text() == edit.file_text


def test_a_call_without_a_matching_tool_is_refused() -> None:
    with pytest.raises(RequestError, match="offers no tools"):
        as_tool_call(Call(bash=Bash(command="ls")), (), {})
    with pytest.raises(RequestError, match="'verdict', and the request offers the tools bash"):
        as_tool_call(Call(tool="verdict", input={}), ("bash",), {})
