"""The demo's files: a small repository, a spec for it, and the answers of the scripted model.

`seed/` is the repository as the team has it, `spec/` what they commit for Headgate to plan,
`script.yaml` the scripted model's answers, `story` what people do in the meantime. `files` reads
them as package resources. Nothing here runs anything.
"""
