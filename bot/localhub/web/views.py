"""The read-only pages of repositories, issues and pulls."""

from flask import Blueprint

blueprint = Blueprint("views", __name__)
