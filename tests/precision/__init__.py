"""How often a rule of triage is right: its findings in other people's specs, judged by a reader."""
