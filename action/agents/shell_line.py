"""The shell line of one call of the `bash` tool: state that lasts, and nothing that waits for keys.

The working directory and exported variables are kept in a file below the sandbox's home when the
line ends, also when it sets a trap of its own on EXIT: ours is put before it.
"""

import re

_KEPT = '"$HOME/.headgate-shell"'
# Nothing opens an editor or a pager: both would wait for keys that nobody presses.
_BEFORE = f"""\
if [ -f {_KEPT}/env ]; then . {_KEPT}/env 2>/dev/null; cd "$(cat {_KEPT}/cwd)" 2>/dev/null; fi
export TERM=dumb PAGER=cat GIT_PAGER=cat EDITOR=false VISUAL=false GIT_EDITOR=false
__headgate_keep() {{
  local ended=$?
  mkdir -p {_KEPT}; pwd >{_KEPT}/cwd; declare -px >{_KEPT}/env
  return $ended
}}
trap() {{
  local -a options=(); local action name
  while [ $# -gt 0 ]; do
    case "$1" in
      --) options+=("$1"); shift; break ;;
      -?*) options+=("$1"); shift ;;
      *) break ;;
    esac
  done
  case " ${{options[*]}} " in *" -p "*|*" -l "*) builtin trap "${{options[@]}}" "$@"; return ;; esac
  if [ $# -lt 2 ]; then builtin trap "${{options[@]}}" "$@"; return; fi
  action=$1; shift
  for name in "$@"; do
    case "$name" in
      0|EXIT|exit|SIGEXIT)
        if [ "$action" = - ] || [ -z "$action" ]; then builtin trap __headgate_keep EXIT
        else builtin trap "__headgate_keep; $action" EXIT; fi ;;
      *) builtin trap -- "$action" "$name" ;;
    esac
  done
}}
builtin trap __headgate_keep EXIT
"""
FORGET = f"rm -rf {_KEPT}"

# Programs that draw on a terminal, at the beginning of a command.
_DRAWS = re.compile(
    r"(?:^|[;&|(\n]|\bthen\b|\bdo\b)[^\S\n]*+(?:\w++=\S*+[^\S\n]++)*+(?:sudo\s++|env\s++)?"
    r"(?P<name>vim?|nvim|nano|pico|emacs|htop|top|watch|tmux|screen)(?=[\s;&|)]|$)"
    r"(?P<rest>[^;&|\n]*)"
)
# With one of these they end by themselves.
_WITHOUT = frozenset({"-e", "-es", "-Es", "-b", "-bn1", "-batch", "--batch", "--version", "--help"})
# One that stays open goes on to the end, as it does for a shell.
_QUOTED = re.compile(r"'[^']*+(?:'|\Z)|\"(?:\\.|[^\"\\])*+(?:\"|\Z)", re.DOTALL)


def shell_line(command: str) -> str:
    return _BEFORE + command


def wants_terminal(command: str) -> str | None:
    """The program of the line that would wait for a terminal, if there is one."""
    # What stands in quotation marks or in a here-document is text, not a command.
    words = _QUOTED.sub("''", command.split("<<", maxsplit=1)[0])
    for found in _DRAWS.finditer(words):
        if _WITHOUT.isdisjoint(found["rest"].split()):
            return found["name"]
    return None
