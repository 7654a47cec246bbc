"""What to do next, a sentence for each verdict: for a person who reads it under a failing pull request."""

from bot.triage.model import CauseKind

_SENTENCES = {
    "code": "Repair it: 'regreen fix --log' reproduces the failure and looks for a patch.",
    "code/crash": "Run the test that was named last by itself: the interpreter dies in it.",
    "code/start": "The code fails before any test runs: look at the place that the traceback names.",
    "code/import": "A module or name of the project's own cannot be imported: look at what was moved.",
    "flaky": "Name the test as flaky, and find what it depends on besides the code.",
    "flaky/crash": (
        "The interpreter dies in different tests on the same code: run the suite under a debugger, or "
        "look for threads and native libraries; a patch to one test would hide it."
    ),
    "flaky/unreliable": "Look at what the test depends on besides its input: time, order, shared state.",
    "flaky/timing": "Give the test more time, or make what it measures faster.",
    "flaky/rerun": "Find what the tests share or wait for; rerunning until green hides it.",
    "infrastructure": "Run the job again; the code was not judged.",
    "infrastructure/network": "Run the job again; if it keeps failing, look at the server that is named.",
    "infrastructure/rate_limit": "Run the job again later, and log in or cache what is downloaded.",
    "infrastructure/service": (
        "Start the service that the tests need and wait until it answers, or mark these tests so that "
        "they are left out without it."
    ),
    "infrastructure/hardware": "Leave the test out without such hardware, or take a runner that has it.",
    "infrastructure/disk": "Free space on the runner, or build and keep less in the job.",
    "infrastructure/memory": "Run fewer processes at the same time, or take a larger runner.",
    "infrastructure/runner": "Run the job again: the runner was lost, the code was not judged.",
    "infrastructure/timeout": (
        "See what was running when time was up: a test that hangs, or a limit that is too short."
    ),
    "infrastructure/cancelled": "Run the job again if nobody meant to cancel it.",
    "dependency": "Look at what was installed, and compare it with the last green job.",
    "dependency/resolution": "Change the requirement that is named: no release fits it.",
    "dependency/lock": "Lock the dependencies anew and commit the lock file.",
    "dependency/build": (
        "Install what the build asks for, or require a release of the package that has a wheel for this "
        "Python."
    ),
    "dependency/version_conflict": (
        "Pin the package to the release that worked last, or move the code to the new one."
    ),
    "dependency/missing_module": "Add the package to the requirements that this job installs.",
    "dependency/vulnerable": "Raise the packages that the audit names to a release without the flaw.",
    "dependency/missing_library": "Install the library of the system in the job, before the packages.",
    "configuration": "Correct the job's configuration.",
    "configuration/workflow": "Correct the workflow file: the job cannot start as it is written.",
    "configuration/permission": "Give the job the right or the secret that it lacks.",
    "configuration/command": "Install the command in the job, or correct its name.",
    "configuration/test_runner": "Correct the test command's options or the test runner's configuration.",
    "configuration/no_tests": "Correct the path or the pattern by which the tests are found.",
    "configuration/upload": "Look at the token and the state of the service; the code was not judged.",
    "configuration/coverage": "Write tests for the new lines, or agree on another threshold.",
    "configuration/settings": "Set what is named, in the job's environment or in the file.",
    "lint": "Correct what the check names.",
    "lint/format": "Run the formatter and commit what it changes; 'regreen lint-fix' can do it.",
    "lint/imports": "Sort the imports with the project's tool; 'regreen lint-fix' can do it.",
    "lint/style": "Correct what the linter names; 'regreen lint-fix' does what is safe.",
    "lint/types": "Correct the annotations or the code that the type checker names.",
    "lint/hooks": "Run 'pre-commit run --all-files' and commit what it changes.",
    "lint/documentation": "Correct the page that the warning names.",
    "lint/packaging": "Correct the list of files that the check names.",
    "not_python": "Look at the step that failed: it is no Python that is broken.",
    "not_python/container": "Look at the step of the image that failed.",
    "passed": "Nothing in this log failed: take the log of the job that failed.",
    "unknown": "Read the last lines of the step that failed: nothing there is known to this program.",
}


def advice(kind: CauseKind, subkind: str) -> str:
    """The sentence for a verdict; that for its kind where there is none of its own."""
    return _SENTENCES.get(f"{kind.value}/{subkind}", _SENTENCES[kind.value])
