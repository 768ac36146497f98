"""A small team's repository with a published ledger: all is well, until a test plants a fault."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from bot.core.journal.state import ChangeFacts
from bot.core.values.ids import ChangeId, RequirementId, Sha, Slug, SpecRunId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import ChangeType, PlannedChange
from bot.demo.system import person_git
from bot.demo.verdict import BOT, LEDGER_FILE, LEDGER_REF

RUN = SpecRunId("till@12345678")


@dataclass
class Team:
    """A bare repository and a work tree beside it; the ledger is published line by line."""

    folder: Path
    lines: list[dict[str, object]] = field(default_factory=list)

    @property
    def work(self) -> Path:
        """Where people work."""
        return self.folder / "work"

    def git(self, *arguments: str, author: str = "marta") -> str:
        """git in the work tree."""
        return person_git(self.work, *arguments, author=author)

    def commit(self, path: str, text: str, author: str = "marta") -> Sha:
        """A commit on main, pushed."""
        place = self.work / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"Write {path}", author=author)
        self.git("push", "-q", "origin", "main")
        return Sha(self.git("rev-parse", "HEAD"))

    def enter(self, kind: str, sha: str, change: str | None = None) -> None:
        """A line of the ledger."""
        self.lines.append(
            {
                "number": len(self.lines),
                "kind": kind,
                "sha": sha,
                "tree": self.git("rev-parse", f"{sha}^{{tree}}"),
                "previous": self.lines[-1]["sha"] if self.lines else None,
                "change": change,
                "author": "",
                "gates": ["test"] if change else [],
            }
        )

    def publish(self) -> None:
        """The ledger as it stands, on its ref."""
        text = "".join(json.dumps(line) + "\n" for line in self.lines)
        (self.folder / LEDGER_FILE).write_text(text)
        blob = self.git("hash-object", "-w", str(self.folder / LEDGER_FILE))
        self.git("read-tree", "--empty")
        self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{LEDGER_FILE}")
        tree = self.git("write-tree")
        ledger = self.git("commit-tree", tree, "-m", "Ledger", author=BOT)
        self.git("push", "-q", "-f", "origin", f"{ledger}:{LEDGER_REF}")
        self.git("read-tree", "HEAD")

    def clone(self) -> Path:
        """A fresh clone."""
        target = self.folder / f"clone-{len(list(self.folder.glob('clone-*')))}"
        person_git(self.folder, "clone", "-q", str(self.folder / "origin.git"), str(target))
        return target


def founded(folder: Path) -> Team:
    """A repository with a spec that was admitted and one change that landed, and a sound ledger."""
    person_git(folder, "init", "-q", "--bare", "-b", "main", "origin.git")
    person_git(folder, "clone", "-q", str(folder / "origin.git"), "work")
    team = Team(folder)
    team.git("checkout", "-q", "-B", "main")
    team.enter("genesis", team.commit("README.md", "A till\n"))
    team.enter("admitted", team.commit("specs/till.md", "# A till\n"))
    team.enter("landed", team.commit("till.sh", "true\n", author=BOT), f"{RUN}/till")
    team.publish()
    return team


def change(landed: Sha | None, slug: str = "till") -> ChangeFacts:
    """A change as the journal has it."""
    planned = PlannedChange(
        slug=Slug(slug),
        title="A till",
        type=ChangeType.FEATURE,
        domain="till",
        requirements=(RequirementId("REQ-TILL-01"),),
    )
    state = ChangeState.LANDED if landed else ChangeState.FAILED
    return ChangeFacts(
        id=ChangeId(f"{RUN}/{slug}"),
        spec_run=RUN,
        planned=planned,
        state=state,
        landed=landed,
        sentence="" if landed else "After 3 attempts: gate test failed.",
    )
