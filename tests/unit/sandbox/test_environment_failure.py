"""How a failed build reads."""

from every_case import every_case

from sandbox.environment.failure import advice, build_failed, needs_compiler

# As uv 0.13 prints it.
NO_COMPILER = """\
Using Python 3.11.2 environment at: env
Resolved 6 packages in 3.31s
\x1b[1merror\x1b[0m: Failed to build `pycosat==0.6.6`
  cause: The build backend returned an error

         [stderr]
         error: [Errno 2] No such file or directory: 'x86_64-linux-gnu-gcc'

hint: Build failures usually indicate a problem with the package or the build environment
Removing intermediate container 6ca3699fe4de
The command '/bin/sh -c uv pip install' returned a non-zero code: 1
"""


def test_the_message_holds_the_command_the_last_words_and_what_to_try():
    error = build_failed("uv pip install pycosat", NO_COMPILER)
    message = str(error)
    assert "uv pip install pycosat failed" in message
    assert "No such file or directory: 'x86_64-linux-gnu-gcc'. It needs a compiler" in message
    assert "Failed to build `pycosat==0.6.6`" in message
    assert "intermediate container" not in message
    assert "\x1b" not in message
    assert "\n" not in message
    assert "Resolved 6 packages" in error.output


@every_case(
    ("line", "words"),
    [
        ("error: command 'x86_64-linux-gnu-gcc' failed: No such file or directory", "compiler"),
        ("error: command 'gcc' failed with exit status 1", "compiler"),
        ("unable to execute 'gcc': No such file or directory", "compiler"),
        ("src/a.c:1:10: fatal error: Python.h: No such file or directory", "compiler"),
        ("error: [Errno 2] No such file or directory: 'x86_64-linux-gnu-g++'", "compiler"),
        (
            "  cause: dns error: failed to lookup address information: Temporary failure in name resolution",
            "no network",
        ),
        ("  cause: error sending request for url (https://index.example/simple/six/)", "no network"),
        ("Temporary failure resolving 'packages.example'", "no network"),
        ("ValueError: no", "setup-command"),
    ],
)
def test_what_is_missing_is_noticed_and_other_failures_point_to_the_overrides(line, words):
    assert words in advice(line)
    assert needs_compiler(line) is (words == "compiler")


def test_a_command_of_several_lines_is_told_in_one():
    end = "The command '/bin/sh -c true\nmakke' returned a non-zero code: 127"
    said = f"Step 3/4 : RUN x\nsh: 2: makke: not found\n{end}"
    message = str(build_failed("sh -ec 'true\nmakke'", said))
    assert "\n" not in message
    assert "sh -ec 'true makke' failed: sh: 2: makke: not found." in message
    assert "it said nothing" in str(build_failed("x", ""))
