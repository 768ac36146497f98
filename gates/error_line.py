"""The line of a log that says what went wrong: the last one that reads like an error."""

import re

# What is read of a line, and shown of it.
_LINE_CHARACTERS_MAX = 300
# A workflow command of GitHub Actions, by which a job says its own error.
_COMMAND = re.compile(r"^::error(?: [^:]*)?::(?P<said>.+)$")
_ERROR = re.compile(
    r"^E\s{2,}\S|\b\w*(?:Error|Exception)\b|\b(?:error|fatal|panic|denied|cannot|can't|could not"
    r"|no such|not found|undefined|unresolved|failed)\b|\bERR!",
    re.IGNORECASE,
)
# Remarks, counts and rulers: they name errors and say nothing of one.
_NO_ERROR = re.compile(
    r"^\W*(?:npm |yarn |pip )?(?:warn|note|hint|info|debug)|\b0 (?:errors?|failed)\b|^[=\-_*~ ]{3}.*[=\-_*~ ]{3}$",
    re.IGNORECASE,
)


def error_line(log: str) -> str:
    lines = [line.strip()[:_LINE_CHARACTERS_MAX] for line in log.splitlines() if line.strip()]
    said = [command["said"] for line in lines if (command := _COMMAND.match(line))]
    errors = [line for line in lines if _ERROR.search(line) and not _NO_ERROR.search(line)]
    return (said or errors or lines or [""])[-1]
