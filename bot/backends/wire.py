"""A question as OpenAI's chat API words it, with as many wishes as the server can fulfil. Pure."""

from collections.abc import Mapping
from typing import Any

from bot.backends.abilities import Abilities
from bot.ports import ChatRequest, InfillRequest, Message, Tool

BEFORE = "input_prefix"
"""The key by which a question to ``/infill`` is known."""


def body(model: str, request: ChatRequest, abilities: Abilities) -> dict[str, Any]:
    """The request's JSON."""
    tools = bool(request.tools) and abilities.tools
    wishes: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, tools=tools) for message in request.messages],
        "stream": True,
        abilities.length: request.max_tokens,
    }
    if abilities.temperature:
        wishes["temperature"] = request.temperature
    if abilities.usage_in_stream:
        wishes["stream_options"] = {"include_usage": True}
    if request.seed is not None and abilities.seed:
        wishes["seed"] = request.seed
    if tools:
        wishes["tools"] = [_tool(tool) for tool in request.tools]
    if request.schema is not None and abilities.shape != "none":
        wishes["response_format"] = _response_format(request.schema, abilities.shape)
    return wishes


def infill_body(request: InfillRequest) -> dict[str, Any]:
    """The request's JSON for llama.cpp's ``/infill``, which knows the marks of each model.

    Source: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
    """
    return {
        BEFORE: sendable(request.before),
        "input_suffix": sendable(request.after),
        "n_predict": request.max_tokens,
        "temperature": request.temperature,
        "stop": list(request.stop),
        "stream": True,
        **({} if request.seed is None else {"seed": request.seed}),
    }


def sendable(text: str) -> str:
    """``text`` with lone surrogates, a source file's undecodable bytes, replaced: JSON in UTF-8 has none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _response_format(schema: Mapping[str, object], shape: str) -> dict[str, Any]:
    if shape == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
    }


def _message(message: Message, *, tools: bool) -> dict[str, Any]:
    """One message; calls and their answers are written in words where the server knows no tools."""
    text = sendable(message.content)
    if message.role == "tool":
        if tools:
            return {"role": "tool", "tool_call_id": message.answers, "content": text}
        return {"role": "user", "content": f"Result of the call {message.answers}:\n{text}"}
    if not message.tool_calls:
        return {"role": message.role, "content": text}
    if tools:
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": sendable(call.arguments)},
            }
            for call in message.tool_calls
        ]
        return {"role": message.role, "content": text, "tool_calls": calls}
    said = [f"Call {call.id}: {call.name}({sendable(call.arguments)})" for call in message.tool_calls]
    return {"role": message.role, "content": "\n".join(filter(None, (text, *said)))}
