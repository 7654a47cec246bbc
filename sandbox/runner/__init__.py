"""Code that runs INSIDE the sandbox, next to code that nobody trusts.

It uses the standard library only and works on CPython 3.7 and newer, because the interpreter in there
belongs to the project under repair. ``sandbox.bundle`` sends these modules over a pipe in the order of
``MODULES``; nothing of ours has to be installed in the sandbox.
"""

MODULES = ("frames", "workspace", "processes", "tracer", "reporter", "pytest_child", "pytest_run", "server")
