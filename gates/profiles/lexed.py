"""Tests of a language that is read by its tokens."""

import re
from dataclasses import dataclass

from gates.test_guard.found_test import TestFile
from gates.test_guard.lexed_tests import read_lexed
from gates.test_guard.tokens import Language


@dataclass(frozen=True)
class LexedTests:
    pattern: re.Pattern[str]
    language: Language

    def is_test_path(self, path: str) -> bool:
        return bool(self.pattern.search(path))

    def read(self, path: str, source: str) -> TestFile:
        return read_lexed(path, source, self.language)
