"""`make fuzz-archive`: archives many more random projects twice, different ones in each run."""

import argparse

from tests.contract.openspec_twin import openspec
from tests.contract.test_archive_twin import compare_many


def main() -> None:
    """Compare up to the first difference, and print the smallest project that shows it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--count", type=int, default=2_000)
    with openspec() as original:
        compare_many(original, asked.parse_args().count, is_repeatable=False)


if __name__ == "__main__":
    main()
