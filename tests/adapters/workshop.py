"""A remote repository and a clone of it, as people and agents use them.

It runs git in a clean environment and shares no code with what is tested.
"""

import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.core.values.candidate import CommitRecipe
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "LC_ALL": "C",
}


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=ENVIRONMENT, input=stdin, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def facts_of(clone_url: str, repository_id: int = 7) -> RepositoryFacts:
    """Facts about a repository without a GitHub."""
    return RepositoryFacts(
        id=RepositoryId(repository_id),
        full_name="octo/shop",
        default_branch="main",
        installation_id=InstallationId(1),
        clone_url=clone_url,
        html_url="http://127.0.0.1/octo/shop",
        bot_login="headgate[bot]",
        bot_id=99,
        app_id=5,
    )


def recipe_of(tree: Sha, *parents: Sha) -> CommitRecipe:
    """A commit of Headgate."""
    return CommitRecipe(
        tree=tree,
        parents=parents,
        message="Add a cart\n\nFor übermorgen.",
        author_name="headgate[bot]",
        author_email="99+headgate[bot]@users.noreply.github.com",
        at=datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
    )


@dataclass(frozen=True)
class Workshop:
    """`origin` is the server's bare repository, `tree` a clone of it."""

    origin: Path
    tree: Path

    @classmethod
    def opened(cls, folder: Path) -> "Workshop":
        """A remote whose main has one commit with two files."""
        origin, tree = folder / "octo" / "shop.git", folder / "tree"
        origin.mkdir(parents=True)
        git(origin, "init", "--quiet", "--bare", "--initial-branch=main")
        git(origin, "config", "http.receivepack", "true")
        git(origin, "config", "receive.advertiseAtomic", "true")
        git(folder, "init", "--quiet", "--initial-branch=main", str(tree))
        git(tree, "remote", "add", "origin", str(origin))
        shop = cls(origin, tree)
        shop.commit("Begin", {"README.md": "# Shop\n", "src/cart.py": "total = 0\n"})
        shop.publish()
        return shop

    @property
    def file_url(self) -> str:
        return f"file://{self.origin}"

    def commit(self, subject: str, files: dict[str, str | bytes | None]) -> Sha:
        """Write (None: remove) files and commit them on what is checked out."""
        for name, content in files.items():
            path = self.tree / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        git(self.tree, "add", "--all", "--force")
        git(self.tree, "commit", "--quiet", "--allow-empty", "-m", subject)
        return self.head()

    def head(self) -> Sha:
        return Sha(git(self.tree, "rev-parse", "HEAD"))

    def publish(self, refspec: str = "HEAD:refs/heads/main") -> None:
        """Force push."""
        git(self.tree, "push", "--quiet", "origin", f"+{refspec}")

    def remote_sha(self, ref: str) -> str | None:
        said = git(self.origin, "for-each-ref", "--format=%(objectname)", ref)
        return said or None

    def bundle(self, since: str, tip: str = "HEAD") -> bytes:
        """An agent's bundle: `refs/heads/headgate` at the tip, on top of `since`."""
        git(self.tree, "update-ref", "refs/heads/headgate", tip)
        file = self.tree / ".git" / "agent.bundle"
        git(self.tree, "bundle", "create", "--quiet", str(file), f"{since}..refs/heads/headgate")
        return file.read_bytes()

    def object(self, kind: str, content: bytes) -> str:
        """Write an object that git would not make itself."""
        arguments = ("hash-object", "-w", "-t", kind, "--literally", "--stdin")
        return git(self.tree, *arguments, stdin=content)

    def commit_tree(self, tree: str, *parents: str) -> Sha:
        """A commit of a tree that `object` wrote."""
        options = [option for parent in parents for option in ("-p", parent)]
        return Sha(git(self.tree, "commit-tree", tree, *options, "-m", "by hand"))
