#!/bin/sh
# The one gate of this repository.
set -eu

if grep -rnI --exclude-dir=.git -e '^<<<<<<< ' -e '^>>>>>>> ' .; then
    echo "Conflict markers are left." >&2
    exit 1
fi

find . -name '*.sh' -not -path './.git/*' | while read -r script; do
    sh -n "$script"
done

find . -name '*.py' -not -path './.git/*' | while read -r module; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$module"
done

if ls tests/test_*.py >/dev/null 2>&1; then
    python3 -m pytest -q tests
fi
