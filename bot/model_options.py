"""The part of the table of options that is about chat models; see ``bot.options``."""

from __future__ import annotations

from bot.option import Option

BACKENDS = ("auto", "openai", "github", "huggingface", "local", "scripted")

MODEL_OPTIONS = (
    Option(
        name="model",
        group="Model",
        metavar="NAME,...",
        repeated=True,
        help="The model; several from cheap to strong, each as NAME or BACKEND:NAME.",
    ),
    Option(
        name="backend",
        group="Model",
        kind="choice",
        choices=BACKENDS,
        default="auto",
        help="What serves the model. auto: as its name and the keys that are set suggest.",
    ),
    Option(
        name="base-url",
        group="Model",
        metavar="URL",
        variables=("OPENAI_BASE_URL",),
        otherwise="OpenAI's own",
        help="openai: the server, any that speaks OpenAI's chat API.",
    ),
    Option(
        name="api-key",
        group="Model",
        secret=True,
        variables=("OPENAI_API_KEY", "OPENAI_API_KEYS"),
        help="openai: the key for the server; several, separated by commas, are used in turn.",
    ),
    Option(
        name="provider",
        group="Model",
        metavar="NAME",
        default="auto",
        help="huggingface: the inference provider; auto leaves the choice to the hub.",
    ),
    Option(
        name="hf-token",
        group="Model",
        secret=True,
        variables=("HF_TOKEN",),
        help="huggingface, and local models that are downloaded: the hub's token.",
    ),
    Option(
        name="hub-url",
        group="Model",
        metavar="URL",
        variables=("HF_ENDPOINT",),
        otherwise="the hub's own",
        help="local: where models are downloaded from.",
    ),
    Option(
        name="model-revision",
        group="Model",
        metavar="COMMIT",
        otherwise="the newest",
        help="local: the commit, tag or branch to download; only a commit stays the same.",
    ),
    Option(
        name="model-context",
        group="Model",
        kind="count",
        minimum=256,
        maximum=10_000_000,
        otherwise="as the server says; 8192 for a local model",
        help="Tokens that prompt and reply may have together.",
    ),
    Option(
        name="model-threads",
        group="Model",
        kind="count",
        minimum=1,
        maximum=1024,
        otherwise="one a core",
        help="local: threads that the model computes with.",
    ),
    Option(
        name="model-timeout",
        group="Model",
        kind="duration",
        default=120.0,
        minimum=1,
        maximum=86_400,
        help="A server that says nothing for so long is given up, and asked again.",
    ),
    Option(
        name="model-retries",
        group="Model",
        kind="count",
        default=4,
        minimum=0,
        maximum=100,
        help="How often to ask again after a failure that may pass, within the time budget.",
    ),
    Option(
        name="model-prices",
        group="Model",
        metavar="MODEL=PROMPT/COMPLETION,...",
        otherwise="OpenAI's list prices",
        help="US dollars for a million tokens.",
    ),
    Option(
        name="record",
        group="Model",
        metavar="FILE",
        help="Append what is asked and replied to a cassette, to be replayed.",
    ),
    Option(
        name="replay",
        group="Model",
        metavar="FILE",
        help="Take the replies from a cassette; no model is asked.",
    ),
)
