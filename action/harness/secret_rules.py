"""Secrets in an agent's work, by the rules of `detect-secrets` for keys that a provider issues.

Its guesses by entropy or by a variable's name are not used: they would refuse honest work. Nothing
is verified over the network. Imported only when there is work to look through.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

# Longer than any secret of the rules.
_PIECE, _OVERLAP = 1_000, 300


class _Rule(Protocol):
    @property
    def secret_type(self) -> str: ...

    def analyze_string(self, string: str) -> Iterator[str]: ...


class _AnthropicDetector(RegexBasedDetector):
    """What detect-secrets has no rule for, and agents are started with."""

    secret_type = "Anthropic API Key"  # noqa: S105
    denylist = (re.compile(r"sk-ant-[A-Za-z0-9_-]{24,}"),)


_RULES: tuple[_Rule, ...] = (
    AWSKeyDetector(),
    AzureStorageKeyDetector(),
    DiscordBotTokenDetector(),
    GitHubTokenDetector(),
    GitLabTokenDetector(),
    MailchimpDetector(),
    NpmDetector(),
    OpenAIDetector(),
    PrivateKeyDetector(),
    PypiTokenDetector(),
    SendGridDetector(),
    SlackDetector(),
    SquareOAuthDetector(),
    StripeDetector(),
    TwilioKeyDetector(),
    _AnthropicDetector(),
)


@dataclass(frozen=True)
class FoundSecret:
    """A secret; only `sentence` may be shown."""

    value: str
    sentence: str


def secrets_in(text: str) -> Iterator[FoundSecret]:
    """Every secret of a file's text, with its kind and line."""
    cut = "\n".join(piece for line in text.split("\n") for piece in _pieces(line))
    for rule in _RULES:
        for secret in rule.analyze_string(cut):
            line = text[: text.find(secret)].count("\n") + 1
            yield FoundSecret(secret, f"{rule.secret_type} in line {line}")


def _pieces(line: str) -> Iterator[str]:
    """A long line in pieces that overlap: some rules take the square of a line's length."""
    yield line[: _PIECE + _OVERLAP]
    for start in range(_PIECE, len(line) - _OVERLAP, _PIECE):
        yield line[start : start + _PIECE + _OVERLAP]
