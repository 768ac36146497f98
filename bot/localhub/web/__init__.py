"""The read-only pages that the REST API's `html_url`s lead to.

All pages are rendered on the server, with one style sheet and no script. The only form is the
confirmation of an App manifest.
"""
