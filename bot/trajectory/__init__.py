"""What happened in a run, kept as lines of JSON: written, found again, read, shown.

Nothing here decides anything about a repair. A file has one object a line, with a ``kind``; ``at`` is
seconds since the run began; ``turn`` counts a model's turns from 1, and 0 is the search. Readers ignore
unknown kinds and fields.

- ``run``, the first line: ``format``, ``regreen`` (version), ``run``, ``started`` (UTC), ``project``,
  ``strategy``, ``models``, ``prompts`` (a version that changes with any prompt), ``settings`` (keys
  masked), ``settings_digest``
- ``resumed``: ``regreen``, ``started``
- ``stage``: ``name``, ``detail``, ``attempts`` (so far); every 5 s during a search
- ``prompt``: ``stage``, ``turn``, ``draft``, ``model``, ``prompts``, ``temperature``, ``seed``,
  ``max_tokens``, ``estimated_tokens``, ``messages`` (each with ``role``, ``content``)
- ``reply``: ``stage``, ``turn``, ``draft``, ``model``, ``text``, ``tool_calls``, ``truncated``,
  ``prompt_tokens``, ``completion_tokens``, ``cost`` (US dollars), ``seconds``
- ``verdict``, of a model's patch: ``turn``, ``model``, ``verdict`` (``plausible``, ``partial``,
  ``failing``, ``rejected``), ``flaw``, ``detail``, ``gain``, ``progress``, ``fixed``, ``broken``,
  ``seconds``, ``patch`` (a diff)
- ``model``, one that is no longer used: ``model``, ``turn``, and ``lost`` (why) or ``stuck`` (turns without
  progress)
- ``critic``: ``model``, ``turn``, ``veto``, ``reason``
- ``profile``: ``runs`` of tests by ``phase``, ``means`` and ``reason``, with ``tests`` and ``seconds``; the
  slowest ``tests``
- ``error``, what ended the run early: ``type``, ``message``
- ``full``: the file's limit is reached
- ``result``, the last line: what ``regreen fix --json`` prints
"""

FORMAT_VERSION = 1
