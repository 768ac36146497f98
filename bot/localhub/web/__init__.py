"""The read-only pages that the REST API's `html_url`s lead to.

Everything is rendered on the server, with one style sheet and no script. Deliberately absent: any
form that changes something, except the confirmation step of an App manifest.
"""
