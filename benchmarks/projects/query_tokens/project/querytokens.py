"""Words of a search query: bare words, "quoted phrases", -exclusions and field:value."""

from dataclasses import dataclass


class QueryError(ValueError):
    pass


@dataclass(frozen=True)
class Term:
    text: str
    field: str = ""
    excluded: bool = False


def words(query):
    """The parts between spaces; quotes keep spaces together and are dropped."""
    found, current, quoted = [], "", False
    for character in query:
        if character == '"':
            quoted = not quoted
        elif character.isspace() and not quoted:
            if current:
                found.append(current)
            current = ""
        else:
            current += character
    return found


def terms(query):
    result = []
    for word in words(query):
        excluded = word.startswith("-") and len(word) > 1
        if excluded:
            word = word[1:]
        field, colon, text = word.partition(":")
        if colon and field and text:
            result.append(Term(text, field.lower(), excluded))
        else:
            result.append(Term(word, "", excluded))
    return result
