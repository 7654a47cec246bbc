from invoicing.invoice import Invoice


def test_an_empty_invoice_comes_to_nothing():
    assert Invoice("2026-1").gross == 0


def test_net_adds_up_the_lines():
    invoice = Invoice("2026-2").add("pen", 3, 120).add("pad", 1, 250)
    assert invoice.net == 610


def test_tax_is_taken_by_rate():
    invoice = Invoice("2026-3").add("book", 1, 1000, "reduced").add("lamp", 1, 2000)
    assert invoice.gross == 1000 + 70 + 2000 + 380


def test_half_a_cent_is_rounded_up():
    # 19 % of 0.50 is 9.5 cents
    assert Invoice("2026-4").add("clip", 1, 50).gross == 60


def test_less_than_half_a_cent_is_dropped():
    # 7 % of 0.20 is 1.4 cents, and of 10.07 it is 70.49
    assert Invoice("2026-5").add("leaflet", 1, 20, "reduced").gross == 21
    assert Invoice("2026-6").add("atlas", 1, 1007, "reduced").gross == 1077


def test_more_than_half_a_cent_is_rounded_up():
    # 7 % of 0.10 is 0.7 cents
    assert Invoice("2026-7").add("label", 1, 10, "reduced").gross == 11
