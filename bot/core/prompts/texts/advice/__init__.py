"""The words of prompts whose answers people read: text files, reviewed as such.

`ADVICE_TEMPLATES` names them; the shell reads them.
"""

ADVICE_TEMPLATES = (
    "digest_system",
    "digest",
    "summary_system",
    "summary",
    "review_system",
    "review",
    "review_earlier",
)
