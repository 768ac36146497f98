"""git itself, behind the port `Git`: a bare mirror per repository, and what is asked of it.

`mirror_git.py` is the door; `process.py` starts git, `mirrors.py` keeps the folders, `remote.py`
talks to the server, `trees.py` reads and writes objects, `bundles.py` and `inspection.py` judge
what an agent handed back. The rule: git does the work, and no configuration of the machine speaks.
"""
