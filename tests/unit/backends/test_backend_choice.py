"""From settings to models: which backend, whose key, and what is said when there is none."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
from fakes.progress import FakeProgress
from huggingface_hub.constants import INFERENCE_PROXY_TEMPLATE

from bot import cli
from bot.backends import hub, local, preset
from bot.backends.cassette import RecordingBackend, ReplayBackend
from bot.backends.choose import Named, backends, models
from bot.backends.github import GITHUB_MODELS
from bot.backends.prices import FREE, as_of
from bot.config import sources
from bot.errors import ConfigurationError, InvalidConfiguration, ModelUnavailable
from bot.ports import ChatRequest

OPENAI = {"OPENAI_API_KEY": "sk-openai-0123456789"}
GITHUB = {"GITHUB_TOKEN": "ghs_" + "a1B2" * 9}
HUB = {"HF_TOKEN": "hf_" + "a1B2" * 9}


@pytest.fixture
def settings(tmp_path):
    def load(environment=None, **options):
        home = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
        options = {name: str(value) for name, value in options.items()}
        return sources.load({"project": str(tmp_path), **options}, {**home, **(environment or {})})

    return load


@pytest.fixture
def build(settings):
    with ExitStack() as resources:

        def run(environment=None, **options):
            progress = FakeProgress()
            chosen = settings(environment, strategy="react", **options)
            return backends(chosen, progress, resources), progress

        yield run


@pytest.mark.parametrize(
    ("model", "environment", "options", "backend"),
    [
        ("gpt-4.1", OPENAI, {}, "openai"),
        ("qwen2.5-coder:0.5b", {}, {"base_url": "http://localhost:11434/v1"}, "openai"),
        ("openai/gpt-4.1-mini", GITHUB, {}, "github"),
        ("Qwen/Qwen2.5-Coder", {**GITHUB, **HUB}, {}, "huggingface"),
        ("Qwen/Qwen2.5-Coder", {**OPENAI, **HUB}, {}, "openai"),
        ("weights/small.GGUF", OPENAI, {}, "local"),
        ("anything", OPENAI, {"backend": "github"}, "github"),
        ("local", OPENAI, {}, "local"),
        ("local", {}, {"base_url": "http://localhost:11434/v1"}, "openai"),
    ],
)
def test_what_serves_a_model(settings, model, environment, options, backend):
    assert models(settings(environment, model=model, **options)) == (Named(backend=backend, name=model),)


def test_a_cascade_with_a_backend_each(settings):
    chosen = settings(OPENAI, model="local:a/b , github:openai/gpt-4.1-mini,qwen:7b,", backend="huggingface")
    assert models(chosen) == (
        Named(backend="local", name="a/b"),
        Named(backend="github", name="openai/gpt-4.1-mini"),
        Named(backend="huggingface", name="qwen:7b"),
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "the strategy react needs a model: pass --model"),
        ({"model": "gpt-4.1"}, r"no key for the model 'gpt-4.1': set OPENAI_API_KEY .*HF_TOKEN"),
        ({"model": "openai:gpt-4.1"}, "no key for the model: set OPENAI_API_KEY"),
        ({"model": "github:openai/gpt-4.1"}, "set GITHUB_TOKEN; in a workflow.*models: read"),
        ({"model": "huggingface:Qwen/Qwen2.5"}, "set HF_TOKEN"),
    ],
)
def test_what_is_missing_is_named(build, options, words):
    with pytest.raises(ModelUnavailable, match=words):
        build(**options)


@pytest.mark.slow
def test_a_key_goes_to_its_own_server_only(build):
    everything = {**OPENAI, **GITHUB, **HUB, "OPENAI_BASE_URL": "http://elsewhere.example/v1"}
    (github, hub, other), _ = build(
        everything, model="github:openai/gpt-4.1,huggingface:Qwen/Qwen2.5,openai:mine"
    )
    assert (github.endpoint, github.keys.secrets) == (GITHUB_MODELS, (GITHUB["GITHUB_TOKEN"],))
    router = INFERENCE_PROXY_TEMPLATE.format(provider="v1")
    assert (hub.endpoint, hub.keys.secrets) == (router, (HUB["HF_TOKEN"],))
    assert (other.endpoint, other.keys.secrets) == (
        "http://elsewhere.example/v1",
        (OPENAI["OPENAI_API_KEY"],),
    )
    (own,), _ = build({**GITHUB, **HUB}, model="m", base_url="http://localhost:1/v1")
    assert own.keys.secrets == ()


def test_several_keys(build, settings):
    environment = {"OPENAI_API_KEYS": "sk-first-0123456, sk-second-0123456,"}
    (backend,), _ = build(environment, model="gpt-4.1")
    assert backend.keys.secrets == ("sk-first-0123456", "sk-second-0123456")
    assert set(settings(environment).secrets.held) >= {"sk-first-0123456", "sk-second-0123456"}
    assert "sk-" not in repr(backend) + repr(backend.keys) + repr(settings(environment))


@pytest.mark.parametrize(
    ("environment", "options", "price", "said"),
    [
        (OPENAI, {"model": "gpt-4.1-mini-2025-04-14"}, (0.4, 1.6), ""),
        (
            {},
            {"model": "gpt-4.1-mini", "base_url": "http://localhost:1/v1"},
            (0, 0),
            "no price is known of gpt-4.1-mini at http://localhost:1/v1",
        ),
        (
            OPENAI,
            {"model": "gpt-4.1-mini", "max_cost": "0.5"},
            (0.4, 1.6),
            f"gpt-4.1-mini at its list price of {as_of()}",
        ),
        (
            OPENAI,
            {"model": "gpt-4.1", "max_cost": "0.5", "model_prices": "other=1/2, gpt-4.1=9/99"},
            (9, 99),
            "",
        ),
    ],
    ids=["list", "elsewhere", "a limit of cost", "the user's word"],
)
def test_the_price_of_a_model(build, environment, options, price, said):
    (backend,), progress = build(environment, **options)
    assert (backend.price.prompt, backend.price.completion) == price
    assert said in str(progress.stages) if said else progress.stages == []


def test_the_options_of_a_model_arrive(build):
    (backend,), _ = build(OPENAI, model="gpt-4.1", model_context=999, model_retries=0, model_timeout="7s")
    assert (backend.context_tokens, backend.asking.retries, backend.transport._silence) == (999, 0, 7)


def test_recording_and_replaying(build, tmp_path):
    script, cassette = tmp_path / "replies.yml", tmp_path / "new" / "cassette.jsonl"
    script.write_text("[one, two]")
    (recorder,), _ = build(model=f"scripted:{script}", record=cassette)
    assert isinstance(recorder, RecordingBackend)
    with pytest.raises(ConfigurationError, match="holds no reply: record it"):
        build(replay=cassette)
    recorder.complete(ChatRequest([]))
    (player,), _ = build(replay=cassette)
    assert isinstance(player, ReplayBackend)
    assert (player.model, player.complete(ChatRequest([])).text) == ("scripted:replies.yml", "one")
    with pytest.raises(ConfigurationError, match=r"holds no reply of 'gpt-4.1', but of scripted:replies.yml"):
        build(replay=cassette, model="gpt-4.1")


def test_recording_while_replaying_makes_no_sense(settings):
    with pytest.raises(InvalidConfiguration, match="leave out either record or replay"):
        settings(record="a", replay="b")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("./none.gguf", "there is no model file './none.gguf'"),
        ("nonsense", "there is no model file 'nonsense'"),
        ("/etc/passwd", "/etc/passwd is no GGUF file"),
    ],
)
def test_a_local_model_that_is_none(build, name, words, monkeypatch):
    monkeypatch.setattr(local, "find_spec", lambda _: object())
    with pytest.raises(ConfigurationError, match=words):
        build(model=f"local:{name}")


def test_a_local_model_without_llama_cpp(build, monkeypatch):
    monkeypatch.setattr(local, "find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match=r"pip install 'regreen\[local\]'"):
        build(model="local:owner/repo")


def test_a_local_model_is_free_and_not_loaded_before_it_is_asked(build, monkeypatch, tmp_path):
    monkeypatch.setattr(local, "find_spec", lambda _: object())
    monkeypatch.setattr(local, "_start", lambda *_: pytest.fail("loaded"))
    weights = Path(tmp_path, "w.gguf")
    weights.write_bytes(b"GGUF")
    (backend, hub), progress = build(HUB, model=f"{weights},local:owner/repo", model_context=512)
    assert (backend.model, backend.context_tokens, hub.context_tokens) == ("w.gguf", 512, 512)
    assert progress.stages == []


def test_the_small_model_by_its_short_name_says_size_and_licence_first(build, monkeypatch):
    monkeypatch.setattr(local, "find_spec", lambda _: object())
    monkeypatch.setattr(hub.Hub, "fetch", lambda *_: pytest.fail("downloaded before it was asked"))
    (backend,), progress = build(model="local")
    assert (backend.model, backend.price) == (preset.SMALL.file.file, FREE)
    assert "1066 MiB, licence Apache-2.0, takes 2100 MiB of memory" in str(progress.stages)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MemTotal: 9 kB\nMemAvailable:    2048 kB\n", 2 << 20),
        ("MemTotal: 9 kB\n", None),
        ("MemAvailable: some kB\n", None),
        ("MemAvailable:\n", None),
        (None, None),
    ],
)
def test_the_memory_that_is_available(tmp_path, text, expected):
    if text is not None:
        (tmp_path / "meminfo").write_text(text)
    assert preset.available_memory(tmp_path / "meminfo") == expected


def test_several_models_on_the_command_line_are_one_list(capsys):
    assert cli.run(["config", "--json", "--model", "small", "--model", "openai:large"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert "small,openai:large" in json.dumps(listed)
