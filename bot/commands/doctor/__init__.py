"""``regreen doctor``: what a repair needs here, and what to do about what is missing.

``diagnose`` puts the parts together: ``sandboxes`` (attacked from inside), ``models``, ``repository`` (on
GitHub) and ``project``. ``diagnosis`` is what they found, and how it is shown.
"""
