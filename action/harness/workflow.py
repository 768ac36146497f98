"""The GitHub job that runs us: OIDC token, masks, log lines, job summary.

Everything that a model or a repository may have written is made harmless before it is printed,
because GitHub reads commands (`::…::`, `##[…]`) in a job's log. The workflow command files
(`GITHUB_ENV`, `GITHUB_PATH`, `GITHUB_OUTPUT`) are never written.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, ValidationError

from action.halt import Halt
from action.harness.http_client import HttpClient, NoAnswerError

TOKEN_PAUSES_SECONDS = (1.0, 3.0, 9.0)
TOKEN_TIMEOUT_SECONDS = 20.0
LINE_CHARACTERS_MAX = 400
SECRET_CHARACTERS_MIN = 8
# GitHub cuts a step's summary at 1 MiB and fails the upload above it.
SUMMARY_CHARACTERS_MAX = 60_000


@dataclass(frozen=True)
class NoToken:
    sentence: str


class _TokenAnswer(BaseModel):
    model_config = ConfigDict(frozen=True)

    value: str


class Workflow:
    def __init__(self, environment: Mapping[str, str], log: TextIO = sys.stdout) -> None:
        self._environment = environment
        self._log = log
        self._masked: list[str] = []

    @property
    def read_token(self) -> str:
        """A token that may read the repository, or an empty string for a public one."""
        return self._environment.get("HEADGATE_READ_TOKEN", "")

    def oidc_token(self, audience: str, halt: Halt) -> str | NoToken:
        """Get the job's OIDC token, valid for this server only."""
        url = self._environment.get("ACTIONS_ID_TOKEN_REQUEST_URL", "")
        bearer = self._environment.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "")
        if not url or not bearer:
            return NoToken(
                "GitHub offers no OIDC token here. Give the job `permissions: id-token: write`, "
                "and do not start it from a fork's pull request."
            )
        query = urlencode({"audience": audience})
        address = f"{url}{'&' if '?' in url else '?'}{query}"
        headers = {"Authorization": f"bearer {bearer}"}
        http = HttpClient()
        sentence = ""
        for pause in (*TOKEN_PAUSES_SECONDS, None):
            try:
                answer = http.send("GET", address, headers, None, TOKEN_TIMEOUT_SECONDS)
                if answer.is_success:
                    return _TokenAnswer.model_validate_json(answer.content).value
                sentence = f"GitHub answered {answer.status}"
                if answer.status < 500:
                    break
            except NoAnswerError as error:
                sentence = str(error)
            except ValidationError:
                sentence = "GitHub's answer could not be read"
            if pause is not None:
                halt.wait(pause)
        return NoToken(f"GitHub returned no OIDC token: {sentence}.")

    @property
    def masked(self) -> tuple[str, ...]:
        """Every secret of this job, for texts that leave it."""
        bearer = self._environment.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "")
        return tuple(one for one in (*self._masked, self.read_token, bearer) if one)

    def mask(self, secret: str) -> None:
        """Have GitHub replace a secret in the log by asterisks."""
        self._masked.append(secret)
        for line in secret.splitlines():
            if line:
                self._write(f"::add-mask::{line}")

    def mask_variables(self, names: Sequence[str]) -> None:
        """The values that setup gets of this job's environment, for the log and all that leaves it."""
        for name in names:
            value = self._environment.get(name, "")
            # A shorter one may occur in ordinary text by chance.
            if len(value) >= SECRET_CHARACTERS_MIN:
                self.mask(value)

    def say(self, sentence: str) -> None:
        self._write(f"headgate: {log_safe(sentence)}")

    def fail(self, sentence: str) -> None:
        """Why the job does nothing, as an annotation of it: the server reads those where no report comes."""
        # GitHub reads %0A in a command as the end of a line.
        self._write(f"::error::{log_safe(sentence).replace('%', '%25')}")

    def summarise(self, markdown: str) -> None:
        path = self._environment.get("GITHUB_STEP_SUMMARY")
        if path:
            with Path(path).open("a", encoding="utf-8") as summary:
                summary.write(markdown[:SUMMARY_CHARACTERS_MAX] + "\n")

    def _write(self, line: str) -> None:
        self._log.write(line + "\n")
        self._log.flush()


def log_safe(text: str) -> str:
    """One line without a workflow command in either syntax."""
    line = " ".join(text.split())
    line = "".join(character for character in line if character.isprintable())
    line = line.replace("##[", "# # [")
    while "::" in line:
        line = line.replace("::", ": :")
    return line if len(line) <= LINE_CHARACTERS_MAX else line[: LINE_CHARACTERS_MAX - 1] + "…"
