"""The scripted model: a model's API on loopback whose answers come from a script.

It speaks the Anthropic Messages API and the OpenAI Responses API, so that real agents and real
clients can be played through whole stories without a model. It imports nothing of the bot.
"""
