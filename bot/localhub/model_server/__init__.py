"""The scripted model: a model's API on loopback whose answers come from a script.

It serves the Anthropic Messages API and the OpenAI Responses API, so that real agents and clients
can be tested without a model. It imports nothing of the bot.
"""
