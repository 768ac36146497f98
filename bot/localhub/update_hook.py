"""The `update` hook that all repositories share: it checks the pushed objects, inside git's quarantine.

`bot.localhub.rules` says what to check. Where a rule of GitHub is only known from reports, the
strictest report counts (docs/assumptions.md).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bot.localhub.git_store import SIGNED_COMMITS, GitStore
from bot.localhub.object_files import FOLDER_MODE
from bot.localhub.rules import RefMove

# GitHub, "About large files on GitHub": files over 100 MiB are blocked.
FILE_BYTES_MAX = 100 * 1024 * 1024

# GitHub, "Supported secret scanning patterns": a few with a shape of their own.
SECRET_PATTERN = "|".join(
    (
        "gh[pousr]_[A-Za-z0-9]{36}",
        "github_pat_[A-Za-z0-9_]{82}",
        r"dp\.pt\.[A-Za-z0-9]{40,44}",
        "AKIA[0-9A-Z]{16}",
        "sk-ant-api03-[A-Za-z0-9_-]{93}",
        "xox[bp]-[0-9]{10,13}-[0-9A-Za-z-]{20,}",
    )
)

# Lines of LOCALHUB_RULES are "ref<TAB>kind<TAB>argument"; `*` stands for every ref. The argument is a
# sentence, the default branch (`workflows`) or the secrets that people have allowed (`contents`).
UPDATE_HOOK = (
    r"""#!/bin/sh
# Refuses one ref of a push. $1 ref, $2 old, $3 new; LOCALHUB_RULES says what to check.
zero=0000000000000000000000000000000000000000
tab=$(printf '\t')
newline='
'
refused=0
refuse() {
    [ "$refused" = 0 ] && echo "error: GH013: Repository rule violations found for $2." >&2
    echo "- $1" >&2
    refused=1
}
refuse_workflow() {
    echo "refusing to allow a GitHub App to create or update workflow \`$1\` without" \
        "\`workflows\` permission" >&2
    exit 1
}
# Neither the tip nor a new commit may hold a workflow that the default branch does not have so.
check_workflows() {
    # Before the first push there is no default branch, and git says so.
    found=$(git diff --name-only --no-renames --diff-filter=AM "$1" "$2" -- .github/workflows 2>/dev/null)
    [ -z "$found" ] || refuse_workflow "${found%%"$newline"*}"
    for commit in $(git rev-list --full-history "$2" --not --all -- .github/workflows); do
        touched=$(git diff-tree -r -c --root --no-renames --no-commit-id --name-only "$commit" \
            -- .github/workflows)
        set -f; IFS="$newline"
        for path in $touched; do
            ours=$(git rev-parse --verify --quiet "$1:$path")
            theirs=$(git rev-parse --verify --quiet "$commit:$path")
            [ "$ours" = "$theirs" ] || refuse_workflow "$path"
        done
        set +f; unset IFS
    done
}
# What a ref gains: all that is new to it, or for a new ref all that no other ref has.
gained() {
    if [ "$2" = $zero ]; then echo "--not --all"; else echo "^$2"; fi
}
check_messages() {
    for commit in $(git rev-list "$2" $(gained "$2" "$4")); do
        git log -1 --format=%B "$commit" | grep -qE "$3" \
            || { refuse "Commit message must match a given regex pattern: $3" "$1"; return; }
    done
}
check_signatures() {
    for commit in $(git rev-list "$2" $(gained "$2" "$4")); do
        grep -qsx "$commit" "$(git rev-parse --git-dir)/@SIGNED_COMMITS@" \
            || { refuse "$3" "$1"; return; }
    done
}
check_paths() {
    changed=$(git log -m --name-only --no-renames --format= "$2" $(gained "$2" "$4"))
    set -f; IFS="$newline"
    for path in $changed; do
        case $path in $3) refuse "File path $path is restricted." "$1"; break ;; esac
    done
    set +f; unset IFS
}
check_lengths() {
    long=$(git log -m --name-only --no-renames --format= "$2" $(gained "$2" "$4") \
        | awk -v max="$3" 'length($0) > max' | head -n 1)
    [ -z "$long" ] || refuse "File path $long must not be longer than $3 characters." "$1"
}
check_sizes() {
    large=$(git rev-list --objects "$2" $(gained "$2" "$4") \
        | git cat-file --batch-check='%(objectsize) %(rest)' \
        | awk -v max="$3" '$1 > max * 1048576' | head -n 1)
    [ -z "$large" ] || refuse "File size must not exceed $3 MB." "$1"
}
say_large() {
    printf '%s\n' "$1" | awk -v max=@FILE_BYTES_MAX@ \
        '$1 > max { size = $1 / 1048576; $1 = ""; printf "error: File%s is %.2f MB; this exceeds GitHub'"'"'s file size limit of 100.00 MB\n", $0, size }'
}
check_contents() {
    new=$(git rev-list --objects --filter=blob:limit=@FILE_BYTES_ALLOWED@ --filter-print-omitted "$3" --not --all)
    [ -n "$new" ] || return 0
    # What is left out for its size has a tilde before its name.
    case "$newline$new" in
    *"$newline~"*)
        large=$(say_large "$(git rev-list --objects "$3" --not --all \
            | git cat-file --batch-check='%(objectsize) %(rest)')") ;;
    *) large= ;;
    esac
    if [ -n "$large" ]; then
        echo "error: GH001: Large files detected. You may want to try Git Large File Storage" \
            "- https://git-lfs.github.com." >&2
        echo "error: See https://gh.io/lfs for more information." >&2
        echo "$large" >&2
        exit 1
    fi
    # First by one process, which also finds lines that are taken away.
    [ -n "$(git log -m -n 1 --format=%H -G"@SECRET_PATTERN@" "$3" --not --all)" ] || return 0
    git log -m -p --no-color --format= "$3" --not --all | grep -aqE "^\+.*(@SECRET_PATTERN@)" \
        || return 0
    for commit in $(git rev-list "$3" --not --all); do
        set -f; IFS="$newline"
        for path in $(git diff-tree -r -m --root --no-renames --no-commit-id --name-only "$commit"); do
            for line in $(git cat-file blob "$commit:$path" 2>/dev/null \
                | grep -naE "@SECRET_PATTERN@"); do
                secret=$(echo "$line" | grep -aoE "@SECRET_PATTERN@" | head -n 1)
                case " $4 " in *" $secret "*) continue ;; esac
                refuse_secret "$1" "$commit" "$path:${line%%:*}"
            done
        done
        set +f; unset IFS
    done
}
refuse_secret() {
    refuse "GITHUB PUSH PROTECTION" "$1"
    cat >&2 <<SAID
    Resolve the following violations before pushing again

    - Push cannot contain secrets

     (?) Learn how to resolve a blocked push
     https://docs.github.com/code-security/secret-scanning/working-with-secret-scanning-and-push-protection/working-with-push-protection-from-the-command-line#resolving-a-blocked-push

      —— Token ——————————————————————————————————————————————
       locations:
         - commit: $2
           path: $3

       (?) To push, remove secret from commit(s) or follow this URL to allow the secret.
       $LOCALHUB_ADDRESS/security/secret-scanning/unblock-secret/$(echo "$3" | cksum | cut -d ' ' -f 1)
SAID
    exit 1
}
if [ "$(LC_ALL=C; echo ${#1})" -gt 255 ]; then
    echo "error: GH005: Sorry, refs longer than 255 bytes are not allowed." >&2
    echo "ref too long: \"$1\"" >&2
    exit 1
fi
name=${1#refs/heads/}
name=${name#refs/tags/}
case $name in *[!0-9a-fA-F]*) is_like_sha=0 ;; *) is_like_sha=$((${#name} == 40)) ;; esac
if [ "$name" != "$1" ] && [ "$3" != $zero ] && [ $is_like_sha = 1 ]; then
    echo "error: GH002: Sorry, branch or tag names consisting of 40 hex characters are not allowed." >&2
    echo "error: Invalid branch or tag name \"$name\"" >&2
    exit 1
fi
while IFS="$tab" read -r ref kind argument; do
    [ "$ref" = "$1" ] || [ "$ref" = "*" ] || continue
    case $kind in
    refuse) refuse "$argument" "$1" ;;
    fast_forward)
        if [ "$2" != $zero ] && [ "$3" != $zero ]; then
            git merge-base --is-ancestor "$2" "$3" || refuse "$argument" "$1"
        fi ;;
    linear)
        if [ "$2" != $zero ] && [ "$3" != $zero ]; then
            [ -z "$(git rev-list --merges -n 1 "$2..$3")" ] || refuse "$argument" "$1"
        fi ;;
    message) [ "$3" = $zero ] || check_messages "$1" "$3" "$argument" "$2" ;;
    signatures) [ "$3" = $zero ] || check_signatures "$1" "$3" "$argument" "$2" ;;
    path) [ "$3" = $zero ] || check_paths "$1" "$3" "$argument" "$2" ;;
    length) [ "$3" = $zero ] || check_lengths "$1" "$3" "$argument" "$2" ;;
    size) [ "$3" = $zero ] || check_sizes "$1" "$3" "$argument" "$2" ;;
    workflows) [ "$3" = $zero ] || check_workflows "$argument" "$3" ;;
    contents) [ "$3" = $zero ] || check_contents "$1" "$2" "$3" "$argument" ;;
    esac
done <<END
$LOCALHUB_RULES
END
exit $refused
""".replace("@FILE_BYTES_MAX@", str(FILE_BYTES_MAX))
    .replace("@FILE_BYTES_ALLOWED@", str(FILE_BYTES_MAX + 1))
    .replace("@SIGNED_COMMITS@", SIGNED_COMMITS)
    .replace("@SECRET_PATTERN@", SECRET_PATTERN)
)


# No name of a ref that the hook would look at more closely.
_USUAL_REF = re.compile(
    r"(?!refs/(heads|tags)/[0-9a-fA-F]{40}$)(?=.{1,255}$)refs(/[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*){2,}"
)
_SECRET = re.compile(SECRET_PATTERN.encode())
_WORKFLOWS = ".github/workflows"
# Beyond that it takes longer here than in the hook.
_COMMITS_MAX = 8


def allows_surely(
    git: GitStore, refs: Mapping[str, str], move: RefMove, lines: Sequence[str]
) -> bool:
    """Whether the hook, which starts some six processes, would find nothing.

    That can be said of a few commits on top of what refs hold, of which nothing is asked but that they
    hold no secret, no large file, and the workflows of the default branch.
    """
    asked = [line.split("\t") for line in lines if line.split("\t")[0] in (move.ref, "*")]
    is_usual = _USUAL_REF.fullmatch(move.ref) is not None
    if not is_usual or {kind for _, kind, _ in asked} - {"contents", "workflows"}:
        return False
    if move.deletes:
        return True
    new = _new_commits(git, set(refs.values()), move.after)
    if new is None:
        return False
    defaults = [argument for _, kind, argument in asked if kind == "workflows"]
    if not all(_has_usual_workflows(git, refs.get(one), move.after, new) for one in defaults):
        return False
    return not any(
        len(content) > FILE_BYTES_MAX or _SECRET.search(content)
        for sha in new
        for content in _contents_of(git, sha)
    )


def _new_commits(git: GitStore, known: set[str], tip: str) -> list[str] | None:
    """Commits up to those that are known; None where they are many, or something is no commit."""
    new: list[str] = []
    edge = [tip]
    while edge:
        sha = edge.pop()
        if sha in known or sha in new:
            continue
        if len(new) == _COMMITS_MAX or git.type_of(sha) != "commit":
            return None
        new.append(sha)
        edge += git.commit(sha).parents
    return new if git.type_of(tip) == "commit" else None


def _has_usual_workflows(git: GitStore, default: str | None, tip: str, new: Sequence[str]) -> bool:
    """Whether all of them have the default branch's workflows, or have nothing to do with any."""
    ours = _workflows(git, default)
    for sha in [tip, *new]:
        before = git.commit(sha).parents if sha in new else ()
        theirs = {_workflows(git, one) for one in (sha, *before)}
        if _workflows(git, sha) != ours and theirs != {None}:
            return False
    return True


def _workflows(git: GitStore, sha: str | None) -> str | None:
    entry = None if sha is None else git.entry(sha, _WORKFLOWS)
    return None if entry is None else entry.sha


def _contents_of(git: GitStore, sha: str) -> Iterator[bytes]:
    commit = git.commit(sha)
    known = git.commit(commit.parents[0]).tree if commit.parents else None
    return _new_contents(git, commit.tree, known)


def _new_contents(git: GitStore, tree: str, known: str | None) -> Iterator[bytes]:
    """Of the files of a tree that are not at the same place of another one."""
    before = {} if known is None else git.rows(known)
    for name, row in git.rows(tree).items():
        held = before.get(name)
        if held is not None and held.sha == row.sha:
            continue
        if row.mode == FOLDER_MODE:
            was_folder = held is not None and held.mode == FOLDER_MODE
            yield from _new_contents(git, row.sha, held.sha if held and was_folder else None)
        elif row.kind == "blob":
            yield git.blob(row.sha)


def install_hooks(folder: Path) -> None:
    """Write the hooks that all repositories of a hub share."""
    folder.mkdir(parents=True, exist_ok=True)
    hook = folder / "update"
    hook.write_text(UPDATE_HOOK, encoding="utf-8")
    hook.chmod(0o755)
