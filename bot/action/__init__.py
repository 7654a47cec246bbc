"""The Action: an event comes in, a repair is tried, the result is reported and published.

Three files hold what security rests on: ``trust`` (who may have what done), ``bot.config.sources`` (secrets
leave the environment before anything else happens) and ``bot.delivery.verify`` (nothing of a proposal is
believed).
"""
