"""GitHub's GraphQL API: as much of GitHub's own schema as localhub has answers for.

A table per type says how each field is answered; the schema beside it is cut down to exactly those
fields, so that a question for anything else is refused before it is asked. Deliberately absent:
everything that no client of localhub asks for.
"""
