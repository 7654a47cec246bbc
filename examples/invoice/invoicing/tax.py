"""Value-added tax, rounded half up to the cent."""

RATES = {"standard": 19, "reduced": 7, "none": 0}


def tax_on(net, rate):
    percent = RATES[rate]
    cents, rest = divmod(net * percent, 100)
    if rest > 50:
        cents += 1
    return cents
