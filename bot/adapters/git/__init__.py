"""The port `Git` over git itself, with one bare mirror per repository.

`mirror_git.py` implements the port; `process.py` starts git, `mirrors.py` keeps the folders,
`remote.py` talks to the server, `trees.py` reads and writes objects, `bundles.py` and `inspection.py`
check what an agent handed in. No configuration of the machine reaches git.
"""
