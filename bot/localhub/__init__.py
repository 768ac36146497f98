"""localhub: GitHub in a box, for the demo and for every test.

One process on loopback keeps the model in memory and bare git repositories in a folder. It answers
as GitHub's REST API, git host and webhook sender do, and as strictly: a more tolerant stand-in
would hide bugs. It imports nothing of the bot, and its state ends with the process.
"""
