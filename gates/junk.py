"""The gate `junk`: no change brings in what nobody commits on purpose.

Leftovers of tools and editors by their names, and markers of a conflict that nobody resolved.
"""

import re
from collections.abc import Iterator

from pathspec import GitIgnoreSpec

from gates.builtin import BuiltinSubject, Judgement, annotations
from gates.result import Ending
from gates.tree import EntryKind
from gates.wording import counted, cut_end, shown_path

_NAMES = GitIgnoreSpec.from_lines(
    """\
*.orig
*.rej
*.swp
*~
.DS_Store
Thumbs.db
desktop.ini
__pycache__/
*.py[co]
*.class
*.o
node_modules/
.venv/
.pytest_cache/
.mypy_cache/
.ruff_cache/
.coverage
nohup.out
npm-debug.log*
yarn-error.log
hs_err_pid*.log
*.stackdump
.env
.env.local
""".splitlines()
)
# Seven letters at the start of a line, as git writes both ends; the middle alone may be a heading.
_MARKERS = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?: .*)?\r?$", re.MULTILINE)
_ENDS = (b"<<<<<<<", b">>>>>>>")


def check_junk(subject: BuiltinSubject) -> Judgement:
    files = [f for f in subject.diff.files if f.after in (EntryKind.FILE, EntryKind.EXECUTABLE)]
    added = [f.path for f in files if f.before is None and _NAMES.match_file(f.path)]
    found = [(path, 1, "Such a file is usually committed by mistake. Remove it.") for path in added]
    paths = [file.path for file in files]
    before = subject.before(paths)
    for path, content in sorted(subject.after(paths).items()):
        if not _has_conflict(before.get(path, b"")):
            found += [
                (path, line, "Here is a conflict marker. Resolve the conflict.")
                for line in _lines(content)
            ]
    if not found:
        return Judgement(Ending.PASSED, f"No junk in {counted(len(files), 'changed file')}.")
    ending = Ending.PASSED if subject.settings.is_of_person else Ending.FAILED
    named = ", ".join(cut_end(shown_path(p), 200) for p in dict.fromkeys(p for p, *_ in found[:9]))
    return Judgement(
        ending,
        f"{counted(len(found), 'place')} committed by mistake: {named}.",
        annotations((path, line, "Junk", message) for path, line, message in found),
    )


def _has_conflict(content: bytes) -> bool:
    return all(re.search(rb"^" + end, content, re.MULTILINE) for end in _ENDS)


def _lines(content: bytes) -> Iterator[int]:
    if b"\0" in content or not _has_conflict(content):
        return
    for marker in _MARKERS.finditer(content):
        yield content.count(b"\n", 0, marker.start()) + 1
