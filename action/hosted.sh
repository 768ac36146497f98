#!/usr/bin/env bash
# hosted.sh FOLDER: make a machine of GitHub's ready for the harness, whose packages go to FOLDER.
#
# Such a machine has none of what a runner needs, lets its user become root, and is thrown away after
# the job. Ubuntu's AppArmor forbids user namespaces there, without which no sandbox works.
set -euo pipefail
folder="$1"
lock="$(dirname "$0")/requirements.lock"
trap 'echo "::error::This machine of GitHub could not be made ready for Headgate: $BASH_COMMAND (docs/install.md)"; exit 2' ERR

if [ "$(uname)" != Linux ] || ! command -v apt-get >/dev/null; then
  echo "::error::Headgate needs Ubuntu on GitHub's machines: runs_on: ubuntu-latest in .github/headgate.yml"
  exit 2
fi
if ! command -v bwrap >/dev/null; then
  sudo apt-get update -qq
  sudo apt-get install --yes -qq --no-install-recommends bubblewrap
fi
namespaces=kernel.apparmor_restrict_unprivileged_userns
if [ "$(sysctl --values "$namespaces" 2>/dev/null || true)" = 1 ]; then
  sudo sysctl --quiet --write "$namespaces=0"
fi
# The system's Python, whatever the job's PATH begins with; below /usr, which sandboxes show.
sudo /usr/bin/python3 -m venv "$folder"
sudo "$folder/bin/pip" install --quiet --no-cache-dir --require-hashes --requirement "$lock"
