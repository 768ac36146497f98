"""The part of GitHub's GraphQL API that clients of localhub use.

One table of resolvers per type; the schema beside it holds exactly those fields, so that a query
for any other is refused before it is executed.
"""
