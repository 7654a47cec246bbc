"""Real libraries and repositories, unmodified: does their suite run inside, and is a fault in them repaired?

``catalogue`` says what is run and ``sources`` fetches it. ``environment`` is the one module that knows how
Regreen prepares a project. ``suite`` runs the suite inside, and outside in one of the ``copies``;
``verdicts`` holds the two against each other. ``faults`` and ``seeding`` make a fault, ``repairs`` repairs
it, ``work`` goes through the phases of one item, ``causes`` says why one is not usable, and ``report`` writes
the page.
"""
