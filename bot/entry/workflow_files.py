"""The workflow files that a repository needs, by path."""

from importlib.resources import files

_NAMES = ("headgate-agent.yml", "headgate-gates.yml")


def workflow_files() -> dict[str, str]:
    folder = files("action.install")
    return {f".github/workflows/{name}": folder.joinpath(name).read_text() for name in _NAMES}
