"""What the demo plays with: a small repository, a spec for it, and what the model will say.

`seed/` is the repository as the team has it, `spec/` what they commit for Headgate to plan,
`script.yaml` the scripted model's answers, `story` what a person does meanwhile. `files` reads
them as package resources. Nothing here runs anything.
"""
