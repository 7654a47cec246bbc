"""Code that runs INSIDE the sandbox, next to code that nobody trusts.

It uses the standard library only and works on CPython 3.7 and newer, because the interpreter in there
belongs to the project under repair. ``sandbox.session`` sends these modules over a pipe; nothing of ours
has to be installed in the sandbox.

The supervisor (``server``, ``runs``) stays clean: it imports none of what the project brings, pytest
included. It forks zygotes, which do (``pytest_zygote`` for whole runs, ``project_zygote`` for verdicts on
candidates, ``script`` for a program that is one test); they fork a test process for each run (``attempt``),
which reports through a pipe (``wire``).

In the supervisor run ``start``, ``server``, ``frames``, ``workspace``, ``watch``, ``ipc``, ``processes``,
``runs``, ``started``, ``script_runs``, ``quick``, ``held``, ``loading``, ``suspects``, ``limits``,
``attempt``, ``sequence``, ``stack``, ``probing``, ``kept``, ``wire`` and ``zygote``; in the zygotes the
modules of that name, ``fork``, ``pytest_child``, ``modules``, ``loaded``, ``executed`` and ``swap``; all
others in the test processes.

Importing ``typing`` takes longer than all of a small module: where nothing else has loaded it yet, it is for
those who check the types alone.
"""
