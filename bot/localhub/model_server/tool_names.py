"""Scripted tool calls, translated into the tools that a request offers.

A script says `bash` and `edit`. An agent may name its shell differently, or have no such edit tool;
then an edit becomes a shell command that does the same and fails in the same cases. A call that no
offered tool can carry out is an error, never dropped.
"""

import json
import shlex
from collections.abc import Callable, Mapping

from pydantic import JsonValue

from bot.localhub.model_server.conversation import RequestError, ToolCall
from bot.localhub.model_server.script import Call, Edit, filled, filled_json

EDIT_TOOL = "str_replace_based_edit_tool"

# The shells of known agents, by tool name; the first that is offered is used.
_SHELLS: Mapping[str, Callable[[str], dict[str, JsonValue]]] = {
    "bash": lambda command: {"command": command},
    "Bash": lambda command: {"command": command, "description": "Work on the change"},
    "shell": lambda command: {"command": ["bash", "-lc", command]},
    "shell_command": lambda command: {"command": command},
    "exec_command": lambda command: {"cmd": command},
}

_EDIT_BY_SHELL = """
import json, pathlib, sys
edit = json.loads(sys.argv[1])
path = pathlib.Path(edit["path"])
if edit["command"] == "view":
    print(path.read_text() if path.is_file() else "\\n".join(sorted(map(str, path.iterdir()))))
elif edit["command"] == "create":
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(edit["file_text"])
elif edit["command"] == "str_replace":
    text = path.read_text()
    found = text.count(edit["old_str"])
    if found != 1:
        sys.exit(f"old_str occurs {found} times in {path}, not once")
    path.write_text(text.replace(edit["old_str"], edit["new_str"]))
else:
    lines = path.read_text().splitlines(keepends=True)
    lines.insert(edit["insert_line"], edit["insert_text"])
    path.write_text("".join(lines))
""".strip()


def as_tool_call(call: Call, tools: tuple[str, ...], values: dict[str, str]) -> ToolCall:
    """A scripted call, placeholders filled, for one of `tools`. Raises RequestError."""
    if call.bash is not None:
        return _by_shell(filled(call.bash.command, values), tools)
    if call.edit is not None:
        edit = _edit_input(call.edit, values)
        if EDIT_TOOL in tools:
            return ToolCall(EDIT_TOOL, edit)
        program = shlex.join(["python3", "-c", _EDIT_BY_SHELL, json.dumps(edit)])
        return _by_shell(program, tools)
    name = call.tool or ""
    if name not in tools:
        raise RequestError(f"The script calls {name!r}, and the request offers {_list(tools)}.")
    return ToolCall(name, {key: filled_json(v, values) for key, v in (call.input or {}).items()})


def _by_shell(command: str, tools: tuple[str, ...]) -> ToolCall:
    for name, inputs in _SHELLS.items():
        if name in tools:
            return ToolCall(name, inputs(command))
    raise RequestError(f"The script runs a command, and the request offers {_list(tools)}.")


def _edit_input(edit: Edit, values: dict[str, str]) -> dict[str, JsonValue]:
    dumped: dict[str, JsonValue] = edit.model_dump(mode="json", exclude_none=True)
    return {key: filled_json(value, values) for key, value in dumped.items()}


def _list(tools: tuple[str, ...]) -> str:
    return "the tools " + ", ".join(tools) if tools else "no tools"
