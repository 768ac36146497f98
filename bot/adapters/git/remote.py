"""Runs git against the server: fetch, list refs, push; and reads its error messages.

The token is only in the environment of the one process that needs it; a list of refs seldom needs one. A push is atomic and leased:
all refs move from exactly the expected values, or none does. It is never sent twice; after a lost
connection the caller reads the refs. Sources: gitprotocol-http, git-push(1).
"""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot.adapters.git.listed_refs import listed_refs
from bot.adapters.git.mirrors import looks_broken
from bot.adapters.git.process import Answer, CallOptions, GitFailed, GitProgram
from bot.core.values.candidate import PushOutcome, PushResult, RefUpdate
from bot.core.values.github_refusal import RefusalKind, read_refusal
from bot.core.values.ids import PullNumber, Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable, UserError

_FETCH_OBJECTS = (
    *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head"),
    *("--no-recurse-submodules", "--no-auto-maintenance"),
)
_FETCH = (*_FETCH_OBJECTS, "--prune")
_PUSH = ("push", "--porcelain", "--atomic", "--no-verify", "--no-recurse-submodules")
_FETCHED = ("+refs/heads/*:refs/heads/*", "+refs/headgate/*:refs/headgate/*")
_FETCH_TIMEOUT_SECONDS = 900.0
_PUSH_TIMEOUT_SECONDS = 300.0
_LIST_TIMEOUT_SECONDS = 60.0
# A connection that moves less than 1,000 bytes a second for 30 seconds is dead.
_STALLED_CONNECTION = (("http.lowSpeedLimit", "1000"), ("http.lowSpeedTime", "30"))
_SENTENCE_CHARACTERS_MAX = 4_000

_REFUSED_WORDS = re.compile(
    r"returned error: (400|401|403|404|405|410|451)|Authentication failed|Repository not found"
    r"|Permission to .* denied|access denied|not allowed to|could not read Username"
    r"|transport '.*' not allowed|does not appear to be a git repository"
    r"|repository '.*' not found|does not support --atomic",
    re.IGNORECASE,
)
# What git says after 401: it would ask for another name and password.
_UNKNOWN_TOKEN = re.compile(r"could not read Username|Authentication failed|returned error: 401")
# GitHub answers 403 and 429 to git, too, when it limits us.
_BUSY_WORDS = re.compile(r"returned error: (429|5\d\d)|rate limit|abuse detection", re.IGNORECASE)

# Reasons of a rejected ref in `git push --porcelain`: the server failed ...
_FAILED_REASON = re.compile(
    r"internal server error|unpacker error|unable to migrate objects|failed to store"
    r"|timed? ?out|remote failure|failed to report",
    re.IGNORECASE,
)
# ... or another ref of the same atomic push was rejected.
_ATOMIC_REASON = re.compile(r"atomic (push|transaction) fail", re.IGNORECASE)
_MISSING_HERE = re.compile(
    r"^(error: src refspec \S+ does not match any|(fatal|error): bad object)", re.MULTILINE
)
_REJECTED = re.compile(
    r"^!\t[^\t:]*:(?P<ref>[^\t]*)\t\[(?P<kind>[^\]]+)\](?: \((?P<reason>.*)\))?$", re.MULTILINE
)


@dataclass(frozen=True)
class Remote:
    """`credentials` returns a token for a repository, or "" for none; `forget` is told which is none any more."""

    git: GitProgram
    credentials: Callable[[RepositoryFacts], str]
    forget: Callable[[str], None]

    def fetch(self, mirror: Path, repository: RepositoryFacts) -> Answer:
        return self._run(
            mirror,
            repository,
            (*_FETCH, "--", repository.clone_url, *_FETCHED),
            _FETCH_TIMEOUT_SECONDS,
        )

    def fetch_pull(self, mirror: Path, repository: RepositoryFacts, pull: PullNumber) -> Answer:
        return self.fetch_objects(mirror, repository, f"refs/pull/{pull}/head")

    def fetch_objects(self, mirror: Path, repository: RepositoryFacts, name: str) -> Answer:
        """What a ref or a SHA of the server names; no ref of the mirror moves."""
        return self._run(
            mirror,
            repository,
            (*_FETCH_OBJECTS, "--", repository.clone_url, name),
            _FETCH_TIMEOUT_SECONDS,
        )

    def ref(self, mirror: Path, repository: RepositoryFacts, ref: Ref) -> Sha | None:
        # Whoever lists finds names that only begin, or end, with it.
        return self._listed(mirror, repository, (ref,), ref).get(ref)

    def refs(
        self, mirror: Path, repository: RepositoryFacts, prefixes: tuple[str, ...]
    ) -> dict[Ref, Sha]:
        patterns = [f"{prefix}*" for prefix in prefixes]
        found = self._listed(mirror, repository, prefixes, *patterns)
        return {name: sha for name, sha in found.items() if name.startswith(prefixes)}

    def _listed(
        self, mirror: Path, repository: RepositoryFacts, prefixes: tuple[str, ...], *patterns: str
    ) -> dict[Ref, Sha]:
        if urlsplit(repository.clone_url).scheme in self.git.protocols:
            token = self.credentials(repository)
            found = listed_refs(repository.clone_url, token, prefixes)
            if found is not None:
                return found
        arguments = ("ls-remote", "--quiet", "--refs", "--", repository.clone_url, *patterns)
        answer = self._run(mirror, repository, arguments, _LIST_TIMEOUT_SECONDS)
        if answer.code != 0:
            raise remote_failure(answer.complaint)
        pairs = (
            line.partition("\t")
            for line in answer.out.decode("utf-8", errors="replace").splitlines()
        )
        return {Ref(name): Sha(sha) for sha, _, name in pairs}

    def push(
        self, mirror: Path, repository: RepositoryFacts, updates: tuple[RefUpdate, ...]
    ) -> PushResult:
        """Move all refs, or none; a ref that has its new value already counts as moved.

        Raises `GitFailed` where the mirror lacks an object or cannot read it; nothing has moved then.
        """
        answer = self._push_once(mirror, repository, updates)
        for update in updates:
            gone = answer.code != 0 and update.new is None and _is_stale_here(answer, update.ref)
            if gone and self.ref(mirror, repository, update.ref) is None:
                # Already deleted. git sees this before it sends, so nothing is sent twice.
                rest = tuple(one for one in updates if one is not update)
                return self.push(mirror, repository, rest)
        is_ours = _MISSING_HERE.search(answer.complaint) or looks_broken(answer.complaint, mirror)
        if answer.code != 0 and is_ours:
            raise GitFailed(answer.code, answer.complaint)
        return _push_result(answer)

    def _push_once(
        self, mirror: Path, repository: RepositoryFacts, updates: tuple[RefUpdate, ...]
    ) -> Answer:
        if not updates:
            return Answer(0, b"", "")
        leases = [f"--force-with-lease={update.ref}:{update.old or ''}" for update in updates]
        moves = [f"{update.new or ''}:{update.ref}" for update in updates]
        return self._run(
            mirror,
            repository,
            (*_PUSH, *leases, "--", repository.clone_url, *moves),
            _PUSH_TIMEOUT_SECONDS,
        )

    def _run(
        self,
        mirror: Path,
        repository: RepositoryFacts,
        arguments: tuple[str, ...],
        timeout_seconds: float,
    ) -> Answer:
        token = self.credentials(repository)
        answer = self._run_as(token, mirror, repository, arguments, timeout_seconds)
        if not token or not _UNKNOWN_TOKEN.search(answer.complaint):
            return answer
        # Taken back before its time. Who is not known has moved nothing, so a push may be sent again.
        self.forget(token)
        newer = self.credentials(repository)
        return self._run_as(newer, mirror, repository, arguments, timeout_seconds)

    def _run_as(
        self,
        token: str,
        mirror: Path,
        repository: RepositoryFacts,
        arguments: tuple[str, ...],
        timeout_seconds: float,
    ) -> Answer:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        where = urlsplit(repository.clone_url)
        options = list(_STALLED_CONNECTION)
        if token:
            server = f"{where.scheme}://{where.netloc}/"
            options.append((f"http.{server}.extraHeader", f"Authorization: Basic {basic}"))
        call = CallOptions(
            environment=_as_environment(options),
            secrets=(token, basic) if token else (),
            timeout_seconds=timeout_seconds,
        )
        return self.git.attempt(mirror, arguments, options=call)


def _as_environment(options: Sequence[tuple[str, str]]) -> dict[str, str]:
    environment = {"GIT_CONFIG_COUNT": str(len(options))}
    for number, (key, value) in enumerate(options):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value
    return environment


def remote_failure(complaint: str) -> UserError | Retryable:
    """`UserError` where the server refuses us, `Retryable` where it cannot be reached."""
    sentence = f"The git server says: {_words_of(complaint)}"
    if _REFUSED_WORDS.search(complaint) and not _BUSY_WORDS.search(complaint):
        return UserError(sentence)
    return Retryable(sentence)


def _is_stale_here(answer: Answer, ref: Ref) -> bool:
    """Whether git rejected the ref because of its lease, before it sent anything."""
    output = answer.out.decode("utf-8", errors="replace")
    found = [match for match in _REJECTED.finditer(output) if match["ref"] == ref]
    return any(match["reason"] == "stale info" for match in found)


def _push_result(answer: Answer) -> PushResult:
    """Raises the `remote_failure` where git's output names no ref."""
    if answer.code == 0:
        return PushResult(outcome=PushOutcome.DONE)
    output = answer.out.decode("utf-8", errors="replace")
    reasons = [match["reason"] or match["kind"] for match in _REJECTED.finditer(output)]
    if not reasons:
        raise remote_failure(answer.complaint)
    reasons = [one for one in reasons if not _ATOMIC_REASON.search(one)]
    # A transaction that fails as a whole names its cause only on a `remote:` line.
    reasons = reasons or [_words_of(answer.complaint)]
    sentence = _words_of(answer.complaint, tuple(dict.fromkeys(reasons)))
    if any(_FAILED_REASON.search(reason) for reason in reasons):
        raise Retryable(f"The git server says: {sentence}")
    if all(read_refusal(reason).kind is RefusalKind.STALE for reason in reasons):
        return PushResult(outcome=PushOutcome.STALE, sentence=sentence)
    return PushResult(outcome=PushOutcome.REFUSED, sentence=sentence)


def _words_of(complaint: str, reasons: tuple[str, ...] = ()) -> str:
    """The server's message (git's `remote:` lines), else git's last lines."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    theirs = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    own = [line for line in lines if line.startswith(("fatal:", "error:"))]
    words = [*reasons, *(line for line in theirs if line)] or own[:3] or lines[-3:]
    return "; ".join(words)[:_SENTENCE_CHARACTERS_MAX] or "nothing"
