"""The HTTP skin: Flask blueprints, one file per area of GitHub's REST API, and git over HTTP.

A route asks the door who is there and whether they may, reads the body, calls one deed and gives
the answer its shape. Deliberately absent: rules about what GitHub's objects do; they are deeds.
"""
