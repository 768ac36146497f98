"""The words of questions whose answers people read: text files, reviewed as such.

`VOICE_TEMPLATES` names them; the shell reads them.
"""

VOICE_TEMPLATES = ("digest_system", "digest", "summary_system", "summary")
