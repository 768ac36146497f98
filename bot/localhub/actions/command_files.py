"""The files by which a step reports to its runner: GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH …

They are emptied before a step and read after it, even if it failed. GITHUB_STEP_SUMMARY and
GITHUB_STATE exist because programs write to them; localhub shows no summaries, and composite
actions have no later step that could read a state.
"""

import uuid
from pathlib import Path

from bot.localhub.actions.commands import FileCommandError, key_values
from bot.localhub.actions.frame import JobState

_NAMES = ("OUTPUT", "ENV", "PATH", "STATE", "STEP_SUMMARY")

# A variable by which a step could take over the next one's interpreter (GitHub blocks it too).
_BLOCKED = frozenset({"NODE_OPTIONS"})


class CommandFiles:
    def __init__(self, temp: Path) -> None:
        folder = temp / "_runner_file_commands"
        folder.mkdir(exist_ok=True)
        mark = uuid.uuid4().hex
        self._files = {name: folder / f"{name.lower()}_{mark}" for name in _NAMES}
        for file in self._files.values():
            file.touch()

    @property
    def variables(self) -> dict[str, str]:
        return {f"GITHUB_{name}": str(file) for name, file in self._files.items()}

    def read_outputs(self, shared: JobState) -> dict[str, str]:
        """Apply what was written, and return the step's outputs. Raises FileCommandError."""
        try:
            for line in self._text("PATH").splitlines():
                if line:
                    shared.paths.append(line)
            for name, value in self._pairs("ENV"):
                if name.upper() in _BLOCKED:
                    raise FileCommandError(
                        f"Can't store {name} output parameter using '$GITHUB_ENV' command."
                    )
                shared.env[name] = value
            return dict(self._pairs("OUTPUT"))
        finally:
            for file in self._files.values():
                file.unlink(missing_ok=True)

    def _text(self, name: str) -> str:
        try:
            return self._files[name].read_text(errors="replace")
        except FileNotFoundError:
            return ""

    def _pairs(self, name: str) -> list[tuple[str, str]]:
        try:
            return list(key_values(self._text(name)))
        except FileCommandError as error:
            raise FileCommandError(
                f"Unable to process file command '{name.lower()}' successfully. {error}"
            ) from error
