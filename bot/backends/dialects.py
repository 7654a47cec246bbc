"""Reads servers' refusals: which mean that the prompt is too long, and which name what the server cannot do.

Each server says it in its own words. The rows are signs, in lower case, with whose they are.
"""

import re

_OVERFLOW_SIGNS = (
    r"context[_ ]length",  # OpenAI, vLLM, Ollama, OpenRouter
    r"context[_ ]size",  # llama.cpp: exceed_context_size_error
    r"context window",  # what stands before Anthropic's and Mistral's models
    r"too many tokens",
    r"tokens_limit_reached|request body too large",  # GitHub Models, with status 413
    r"inputs? tokens? \+ .?max_new_tokens",  # text-generation-inference
    r"max_new_tokens.{0,40}must be <=",
    r"(?:prompt|input|request)(?: is)? too (?:long|large)",
    r"input length .{0,60}exceeds",  # Ollama
    r"maximum (?:input|prompt|sequence) length",
    r"(?:max_model_len|max_seq_len|n_ctx)\b.{0,80}(?:exceed|longer|greater)",
    r"longer than the maximum model length",  # vLLM
    r"reduce the length of the (?:input|messages|prompt)",
)
_OVERFLOW = re.compile("|".join(_OVERFLOW_SIGNS))
_OVERFLOW_STATUSES = frozenset({400, 413, 422, 500})
CONTENT_TOO_LARGE = 413

# What may be wished for beyond text, and the words by which a server says that it is to blame.
WISHES = {
    "max_completion_tokens": re.compile(r"max_completion_tokens"),
    "stream_options": re.compile(r"stream_options|include_usage"),
    "response_format": re.compile(
        r"response_?format|json_?(?:schema|object)|grammar|structured|guided|\bschema\b"
    ),
    "tools": re.compile(r"\btools?\b|tool_|function call|--jinja"),
    "seed": re.compile(r"\bseed\b"),
    "temperature": re.compile(r"\btemperature\b"),
}


def is_overflow(status: int, words: str) -> bool:
    """Whether the refusal says that prompt and reply do not fit the model's context."""
    return status == CONTENT_TOO_LARGE or (
        status in _OVERFLOW_STATUSES and _OVERFLOW.search(words.lower()) is not None
    )


def named_wishes(words: str) -> tuple[str, ...]:
    """Which wishes the refusal's words name, the likeliest to blame first."""
    return tuple(name for name, pattern in WISHES.items() if pattern.search(words.lower()))
