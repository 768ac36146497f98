"""The web doors: webhook, runner API, health and pages."""
