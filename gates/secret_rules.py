"""Secrets in files, by the rules of `detect-secrets` for keys that a provider issues.

Its guesses by entropy or by a variable's name are not used: they would refuse honest work. Nothing
is verified over the network. The runner looks through what an agent hands in, so that a secret stays
where it is; the server looks again, because it trusts no runner; the gate `secrets` looks through what
anybody adds. Imported only when there is work to look through.
"""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

# Secrets are looked for in so much of a file.
SECRET_BYTES_MAX = 2 * 1024**2
# Longer than any secret of the rules.
_PIECE, _OVERLAP = 1_000, 300


class _Rule(Protocol):
    @property
    def secret_type(self) -> str: ...

    def analyze_string(self, string: str) -> Iterator[str]: ...


@dataclass(frozen=True)
class _Issued:
    """Keys that their providers mark, and for which detect-secrets has no rule."""

    secret_type: str
    forms: tuple[re.Pattern[str], ...]

    def analyze_string(self, string: str) -> Iterator[str]:
        for form in self.forms:
            yield from form.findall(string)


_OURS = (
    # What agents are started with.
    _Issued("Anthropic API Key", (re.compile(r"sk-ant-[A-Za-z0-9_-]{24,}"),)),
    _Issued(
        "Token of a provider",
        (
            # GitHub: fine-grained ones; and an installation's, which may be longer than the rule's 36.
            re.compile(r"github_pat_[A-Za-z0-9_]{22,255}"),
            re.compile(r"gh[pousr]_[A-Za-z0-9_]{36,255}"),
            re.compile(r"AIza[A-Za-z0-9_-]{35}"),
            re.compile(r"hf_[A-Za-z0-9]{34,}"),
            re.compile(r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
            re.compile(r"do[opr]_v1_[a-f0-9]{64}"),
            re.compile(r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
            re.compile(r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}"),
        ),
    ),
)

# Of `detect_secrets.plugins`.
_DETECTORS = {
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector",
    "openai": "OpenAIDetector",
    "private_key": "PrivateKeyDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "twilio": "TwilioKeyDetector",
}


@contextmanager
def _not_imported(name: str) -> Iterator[None]:
    """An import of this gives an empty module, unless it is there already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = ModuleType(name)
    try:
        yield
    finally:
        del sys.modules[name]


def _theirs() -> Iterator[_Rule]:
    for module, rule in _DETECTORS.items():
        yield getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), rule)()


# It verifies over the network with `requests`, which we never do: 5 MiB, and most of the time.
with _not_imported("requests"):
    _RULES: tuple[_Rule, ...] = (*_theirs(), *_OURS)


@dataclass(frozen=True)
class FoundSecret:
    """A secret of a text; its `value` may not be shown."""

    value: str
    kind: str
    text: str

    @property
    def sentence(self) -> str:
        line = self.text.count("\n", 0, max(self.text.find(self.value), 0)) + 1
        return f"{self.kind} in line {line}"


def new_secret(content: bytes, before: Callable[[], str]) -> str:
    """What a file holds that it did not hold `before`, as the end of a sentence; empty if nothing.

    `before` is called only where there is a secret.
    """
    earlier: str | None = None
    known: frozenset[str] = frozenset()
    for secret in secrets_in(readable(content[:SECRET_BYTES_MAX])):
        if earlier is None:
            earlier = before().replace("\0", "")
            # Most that was there is found there, too; looking for each would cost the square of their number.
            known = frozenset(one.value for one in secrets_in(earlier))
        if secret.value not in known and secret.value not in earlier:
            return f"holds a secret ({secret.sentence})"
    return ""


def readable(content: bytes) -> str:
    """The text of a file, of UTF-16, too, as far as it is written in Latin letters."""
    return content.decode("utf-8", "replace").replace("\0", "")


def secrets_in(text: str) -> Iterator[FoundSecret]:
    cut = "\n".join(piece for line in text.split("\n") for piece in _pieces(line))
    for rule in _RULES:
        for secret in rule.analyze_string(cut):
            yield FoundSecret(secret, rule.secret_type, text)


def _pieces(line: str) -> Iterator[str]:
    """A long line in pieces that overlap: some rules take the square of a line's length."""
    yield line[: _PIECE + _OVERLAP]
    for start in range(_PIECE, len(line) - _OVERLAP, _PIECE):
        yield line[start : start + _PIECE + _OVERLAP]
