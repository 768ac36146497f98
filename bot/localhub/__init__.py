"""localhub: GitHub in a box, for the demo and for every test.

One process on loopback holds a plain in-memory model and a folder of bare git repositories, with a
thin HTTP skin that answers as GitHub's REST API, git host and webhook sender do. It is as strict as
GitHub where it answers at all, because a kinder stand-in hides bugs. Deliberately absent: any
import of the bot, and any state that outlives the process.
"""
