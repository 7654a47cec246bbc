"""Changes that a person could intend, and faults that look the same: which tests are called outdated.

``literals`` changes a literal, ``pull_request`` adds what a change brings with it, ``make`` keeps what a
library's tests notice, ``work`` repairs each.
"""
