"""The harness's git, on a git directory that no sandbox can write.

Scrubbed: no system or user configuration, no hooks, no prompts, no credential programs. Filters,
attributes and submodules that a tree brings cannot start anything, because drivers live in
configuration and the only configuration is ours. The read token is in the environment of the one
process that fetches: never in arguments, URLs or files.
"""

import base64
import os
import posixpath
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from action.harness.addresses import refusal_of_url
from action.harness.leftovers import as_pattern
from action.sandbox.trees import keep_readable
from gates.plumbing import ignore_attributes

FETCH_DEPTH = 50
# What git itself takes for "no end"; unlike --unshallow it also works on a complete repository.
DEPTH_ALL = 2_147_483_647
FETCH_TIMEOUT_SECONDS = 900.0
GIT_TIMEOUT_SECONDS = 300.0
BRANCH = "refs/heads/headgate"
START_REF = "refs/headgate/start"
AUTHOR_NAME = "headgate agent"
AUTHOR_EMAIL = "agent@headgate.invalid"


class GitRefusedError(Exception):
    """Git could not do what an order needs; the text says why."""


@dataclass(frozen=True)
class Source:
    clone_url: str
    read_token: str
    plain_http: bool = False


class OrderGit:
    """The harness's repository, and the work tree outside of it."""

    def __init__(self, git_dir: Path, tree: Path) -> None:
        self.git_dir = git_dir
        self._tree = tree

    def create(self) -> None:
        self._git("init", "--quiet", "--initial-branch=headgate", "--template=")
        ignore_attributes(self.git_dir)

    def bring(self, repository: Path, sha: str) -> None:
        """Take a commit that is the HEAD of a repository on this machine, with its history."""
        allowed = {"GIT_ALLOW_PROTOCOL": "file"}
        arguments = ("fetch", "--quiet", "--no-tags", str(repository), f"+HEAD:{START_REF}")
        self._git(*arguments, extra=allowed, timeout_seconds=FETCH_TIMEOUT_SECONDS)
        if not self._has(sha):
            raise GitRefusedError(f"{sha} is not what is checked out in {repository}.")

    def fetch(self, source: Source, ref: str, sha: str, keep_as: str) -> None:
        """Have `sha`: by its ref if that still points to it, else by the sha itself."""
        if self._has(sha):
            self._git("update-ref", keep_as, sha)
            return
        for wanted in (ref, sha):
            try:
                self._fetch(source, f"--depth={FETCH_DEPTH}", f"+{wanted}:{keep_as}")
            except GitRefusedError:
                if wanted == sha:
                    raise
            if self._has(sha):
                self._git("update-ref", keep_as, sha)
                return
        raise GitRefusedError(f"Commit {sha} could not be fetched as {ref}.")

    def fetch_history_between(self, source: Source, base_sha: str, start_sha: str) -> None:
        """Fetch every commit of `base_sha..start_sha`, so that a bundle of them is complete."""
        if self._has(base_sha) and self._is_complete(base_sha, start_sha):
            return
        self._fetch(source, f"--depth={DEPTH_ALL}", f"+{start_sha}:{START_REF}")
        if not self._has(base_sha) or not self._is_ancestor(base_sha, start_sha):
            raise GitRefusedError(f"{base_sha} is not an ancestor of {start_sha}.")

    def check_out(self, sha: str) -> None:
        """The work tree and the index become exactly `sha`; tracked paths only."""
        self._git("update-ref", BRANCH, sha)
        # Files of what was checked out before go; the index may be the first.
        self._git("read-tree", "--reset", "-u", sha)
        self._git("checkout-index", "--all", "--force", "--quiet", "-u")

    def tree_of(self, sha: str) -> str:
        return self._git("rev-parse", f"{sha}^{{tree}}").strip()

    def paths_of(self, sha: str) -> tuple[str, ...]:
        return _split(self._git("ls-tree", "-r", "-z", "--name-only", sha))

    def entries_of(self, sha: str) -> dict[str, str]:
        listed = (line.partition("\t") for line in _split(self._git("ls-tree", "-r", "-z", sha)))
        return {path: facts.split(" ")[2] for facts, _, path in listed}

    def changed_paths(self, before: str, after: str) -> tuple[str, ...]:
        options = ("-r", "-z", "--no-renames", "--name-only")
        return _split(self._git("diff-tree", *options, before, after))

    def added_lines(
        self, before: str, after: str, paths: Sequence[str]
    ) -> dict[str, tuple[int, ...]]:
        """The numbers of the lines that each of these files got."""
        found: dict[str, tuple[int, ...]] = {}
        options = ("--unified=0", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
        for path in paths:
            said = self._git(*_ON_PATHS, "diff", *options, before, after, "--", path)
            hunks = _HUNK.findall(said)
            lines = (range(int(at), int(at) + int(count or 1)) for at, count in hunks)
            if numbers := tuple(number for each in lines for number in each):
                found[path] = numbers
        return found

    def bytes_of(self, sha: str) -> bytes:
        return self.text_of(sha).encode("utf-8", "surrogateescape")

    def beside(self) -> tuple[str, ...]:
        """All paths that are not tracked, ignored ones too; folders as a whole, with `/`."""
        return _split(self._listed("--others", "--directory"))

    def exclude_untracked(self, *also: str) -> None:
        """Never commit what is untracked now (what `setup` made), nor the paths of `also`."""
        listed = self._listed("--others", "--exclude-standard", "--directory")
        patterns = [f"/{as_pattern(path)}" for path in (*listed.split("\0"), *also) if path]
        self.exclude("\n".join(patterns) + "\n")

    def exclude(self, patterns: str) -> None:
        place = self.git_dir / "info" / "exclude"
        place.parent.mkdir(exist_ok=True)
        place.write_text(patterns, encoding="utf-8", errors="surrogateescape")

    def excluded(self) -> str:
        place = self.git_dir / "info" / "exclude"
        return place.read_text(encoding="utf-8", errors="surrogateescape")

    def untracked(self) -> tuple[str, ...]:
        """Untracked paths that the tree does not ignore; a repository in it ends with `/`."""
        return _split(self._listed("--others", "--exclude-standard"))

    def untracked_by(self, patterns: str) -> tuple[str, ...]:
        """Untracked paths that gitignore patterns name; folders as a whole, with `/` at the end."""
        file = self.git_dir / "leftovers"
        file.write_text(patterns, encoding="utf-8", errors="surrogateescape")
        listed = ("ls-files", "-z", "--others", "--ignored", "--directory")
        return _split(self._git(*listed, f"--exclude-from={file}"))

    def has_tracked(self, folder: str) -> bool:
        return bool(self._git("--literal-pathspecs", "ls-files", "-z", "--", folder))

    def ignore_files(self, sha: str) -> dict[str, str]:
        paths = [path for path in self.paths_of(sha) if posixpath.basename(path) == ".gitignore"]
        return {path: self.text_of(f"{sha}:{path}") for path in paths}

    def regular_files(self, sha: str, paths: Sequence[str]) -> tuple[str, ...]:
        """Those of these paths that are files in a commit, and no links."""
        listed = _split(self._git("ls-tree", "-z", sha, "--", *paths))
        found = {line.partition("\t")[2] for line in listed if line.startswith("100")}
        return tuple(path for path in paths if path in found)

    def stage(
        self, start_sha: str, untracked: Sequence[str], too_large: Sequence[str] = ()
    ) -> None:
        """Stage what is tracked and not too large, and these paths, on the branch at `start_sha`.

        A path that git refuses is passed over.
        """
        # Left by a git that a signal ended; nothing else works on this repository.
        for lock in (self.git_dir / "index.lock", self.git_dir / f"{BRANCH}.lock"):
            lock.unlink(missing_ok=True)
        self._git("update-ref", BRANCH, start_sha)
        changed = self._changed()
        gone = [path for status, path in changed if status == "D"]
        self._git("update-index", "--force-remove", "-z", "--stdin", stdin=_joined(gone))
        left = frozenset(too_large)
        there = [path for status, path in changed if status != "D" and path not in left]
        # By plumbing, because pathspecs cost the square of their number.
        new = _joined([*there, *untracked])
        self._git("update-index", "--add", "--replace", "-z", "--stdin", stdin=new)

    def changed(self) -> tuple[str, ...]:
        """Tracked paths of which the tree has something else than the index."""
        return tuple(path for status, path in self._changed() if status != "D")

    def _changed(self) -> list[tuple[str, str]]:
        fields = _split(self._git("diff-files", "-z", "--name-status", "--no-renames"))
        return list(zip(fields[0::2], fields[1::2], strict=True))

    def sizes_of(self, sha: str) -> dict[str, int]:
        listed = (line.partition("\t") for line in _split(self._git("ls-tree", "-rlz", sha)))
        sizes = ((path, facts.split()[3]) for facts, _, path in listed)
        return {path: int(size) for path, size in sizes if size != "-"}

    def not_staged(self, paths: Sequence[str]) -> tuple[str, ...]:
        held = set(_split(self._git("ls-files", "-z")))
        return tuple(path for path in paths if path not in held)

    def staged(self) -> tuple["StagedPath", ...]:
        raw = self._git("diff-index", "--cached", "--no-renames", "-z", "--raw", BRANCH)
        fields = raw.split("\0")
        return tuple(
            StagedPath(path, mode, sha, before, before_mode.removeprefix(":"))
            for (before_mode, mode, before, sha, _), path in zip(
                (meta.split(" ") for meta in fields[0::2]), fields[1::2], strict=False
            )
        )

    def unstage(self, paths: Sequence["StagedPath"]) -> None:
        lines = "".join(f"{one.before_mode} {one.before}\t{one.path}\0" for one in paths)
        told = lines.encode("utf-8", "surrogateescape")
        self._git("update-index", "--add", "--replace", "-z", "--index-info", stdin=told)

    def text_of(self, sha: str) -> str:
        return self._git("cat-file", "blob", sha)

    def commit(self, start_sha: str, message: str) -> str:
        """One commit of the index on `start_sha`, as the branch; its sha."""
        tree = self._git("write-tree").strip()
        head = self._git("commit-tree", tree, "-p", start_sha, "-m", message).strip()
        self._git("update-ref", BRANCH, head)
        return head

    def read_index(self, sha: str) -> None:
        """The index as a commit has it; the tree stays as it is."""
        self._git("read-tree", sha)

    def commit_with(
        self, sha: str, files: Mapping[str, bytes], parent_sha: str, message: str
    ) -> str:
        """`sha` with these files in it, as a commit on `parent_sha`; no branch, index or tree moves."""
        index = {"GIT_INDEX_FILE": str(self.git_dir / "index.with")}
        self._git("read-tree", sha, extra=index)
        lines = []
        for path, content in files.items():
            blob = self._git("hash-object", "-w", "--stdin", stdin=content).strip()
            lines.append(f"100644 {blob}\t{path}\0")
        # What stands in a file's place, or in that of a folder above it, goes.
        told = "".join(lines).encode("utf-8", "surrogateescape")
        self._git(
            "update-index", "--add", "--replace", "-z", "--index-info", stdin=told, extra=index
        )
        tree = self._git("write-tree", extra=index).strip()
        return self._git("commit-tree", tree, "-p", parent_sha, "-m", message).strip()

    def bundle(self, base_sha: str, path: Path) -> None:
        self._git("bundle", "create", "--quiet", str(path), f"{base_sha}..{BRANCH}")

    def _listed(self, *options: str) -> str:
        """What lies in the tree, in which nothing runs any more."""
        # git waits for ever at a pipe by the name of a file that it reads, and gives up at a file it may not read.
        keep_readable(self._tree)
        return self._git("ls-files", "-z", *options)

    def _fetch(self, source: Source, *arguments: str) -> None:
        if refused := refusal_of_url(source.clone_url, source.plain_http):
            raise GitRefusedError(refused)
        self._git(
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--force",
            arguments[0],
            source.clone_url,
            *arguments[1:],
            extra=_authorisation(source),
            timeout_seconds=FETCH_TIMEOUT_SECONDS,
        )

    def _has(self, sha: str) -> bool:
        return self._succeeds("cat-file", "-e", f"{sha}^{{commit}}")

    def _is_ancestor(self, base_sha: str, start_sha: str) -> bool:
        return self._succeeds("merge-base", "--is-ancestor", base_sha, start_sha)

    def _is_complete(self, base_sha: str, start_sha: str) -> bool:
        """No commit of the range stands at the edge of what was fetched."""
        if not self._is_ancestor(base_sha, start_sha):
            return False
        edge = self.git_dir / "shallow"
        cut = set(edge.read_text(encoding="utf-8").split()) if edge.exists() else set()
        between = self._git("rev-list", f"{base_sha}..{start_sha}").split()
        return not cut.intersection(between)

    def _succeeds(self, *arguments: str) -> bool:
        try:
            self._git(*arguments)
        except GitRefusedError:
            return False
        return True

    def _git(
        self,
        *arguments: str,
        extra: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        timeout_seconds: float = GIT_TIMEOUT_SECONDS,
    ) -> str:
        environment = {**_environment(self.git_dir, self._tree), **(extra or {})}
        try:
            done = subprocess.run(
                ["git", *_SETTINGS, *arguments],
                env=environment,
                cwd=self._tree,
                input=stdin,
                capture_output=True,
                timeout=timeout_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise GitRefusedError(
                f"git {arguments[0]} took longer than {timeout_seconds:g} s"
            ) from error
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()[-500:]
            raise GitRefusedError(f"git {arguments[0]} failed: {said}")
        return done.stdout.decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class StagedPath:
    """A path that differs, with its mode and blob now and on the branch; mode `000000` where it is not."""

    path: str
    mode: str
    sha: str
    before: str
    before_mode: str

    @property
    def is_deleted(self) -> bool:
        return self.mode == "000000"

    @property
    def is_plain_file(self) -> bool:
        return self.mode == "100644"


_ON_PATHS = ("--literal-pathspecs",)
_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def _split(listed: str) -> tuple[str, ...]:
    return tuple(path for path in listed.split("\0") if path)


def _joined(paths: Sequence[str]) -> bytes:
    return "\0".join(paths).encode("utf-8", "surrogateescape")


def _settings(pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(part for name, value in pairs for part in ("-c", f"{name}={value}"))


_SETTINGS = _settings(
    (
        ("core.hooksPath", "/dev/null"),
        ("core.fsmonitor", "false"),
        ("core.untrackedCache", "false"),
        ("core.protectHFS", "true"),
        ("core.protectNTFS", "true"),
        # The tree belongs to the sandbox's user; the git directory is ours.
        ("safe.directory", "*"),
        ("submodule.recurse", "false"),
        ("credential.helper", ""),
        ("gc.auto", "0"),
        ("maintenance.auto", "false"),
        ("advice.addEmbeddedRepo", "false"),
        ("commit.gpgSign", "false"),
    )
)


def _environment(git_dir: Path, tree: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_DIR": str(git_dir),
        "GIT_WORK_TREE": str(tree),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_ALLOW_PROTOCOL": "https",
        "GIT_AUTHOR_NAME": AUTHOR_NAME,
        "GIT_AUTHOR_EMAIL": AUTHOR_EMAIL,
        "GIT_COMMITTER_NAME": AUTHOR_NAME,
        "GIT_COMMITTER_EMAIL": AUTHOR_EMAIL,
    }


def _authorisation(source: Source) -> dict[str, str]:
    """Only for this URL's own host: a redirect elsewhere carries no token."""
    url = urlsplit(source.clone_url)
    allowed = {"GIT_ALLOW_PROTOCOL": "https:http"} if source.plain_http else {}
    if not source.read_token:
        return allowed
    pair = base64.b64encode(f"x-access-token:{source.read_token}".encode()).decode()
    return {
        **allowed,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{url.scheme}://{url.netloc}/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {pair}",
    }
