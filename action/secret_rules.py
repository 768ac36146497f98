"""Secrets in an agent's work, by the rules of `detect-secrets` for keys that a provider issues.

Its guesses by entropy or by a variable's name are not used: they would refuse honest work. Nothing
is verified over the network. The runner looks through what it hands in, so that a secret stays where
it is; the server looks again, because it trusts no runner. Imported only when there is work to look
through.
"""

import re
from collections.abc import Callable, Iterator
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

# Secrets are looked for in so much of a file.
SECRET_BYTES_MAX = 2 * 1024**2
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


class _IssuedTokenDetector(RegexBasedDetector):
    """Keys that their providers mark with a prefix, and for which detect-secrets has no rule."""

    secret_type = "Token of a provider"  # noqa: S105
    denylist = (
        # GitHub: fine-grained ones; and an installation's, which may be longer than the rule's 36.
        re.compile(r"github_pat_[A-Za-z0-9_]{22,255}"),
        re.compile(r"gh[pousr]_[A-Za-z0-9_]{36,255}"),
        re.compile(r"AIza[A-Za-z0-9_-]{35}"),
        re.compile(r"hf_[A-Za-z0-9]{34,}"),
        re.compile(r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
        re.compile(r"do[opr]_v1_[a-f0-9]{64}"),
        re.compile(r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
        re.compile(r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}"),
    )


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
    _IssuedTokenDetector(),
)


@dataclass(frozen=True)
class FoundSecret:
    """A secret; only `sentence` may be shown."""

    value: str
    sentence: str


def new_secret(content: bytes, before: Callable[[], str]) -> str:
    """What a file holds that it did not hold `before`, as the end of a sentence; empty if nothing.

    `before` is called only where there is a secret.
    """
    earlier: str | None = None
    for secret in secrets_in(content[:SECRET_BYTES_MAX].decode("utf-8", "replace")):
        if earlier is None:
            earlier = before()
        if secret.value not in earlier:
            return f"holds a secret ({secret.sentence})"
    return ""


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
