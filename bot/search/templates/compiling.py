"""What the compiler says of a text, without running it."""

import warnings


def compiles_well(code: str) -> bool:
    """Whether the interpreter takes the text for a program."""
    return first_error(code) is None


def first_error(code: str) -> SyntaxError | None:
    """What the compiler objects to first; None when nothing."""
    readable = code.removeprefix("\ufeff").encode("utf-8", "replace").decode()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(readable, "<candidate>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error))
    return None
