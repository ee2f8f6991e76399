"""Checks bodies of Gemini requests, one a line, with the types of Google's own client, which know every key."""

import json
import sys

from google.genai import types
from pydantic import TypeAdapter

KEYS = {
    "contents": list[types.Content],
    "generationConfig": types.GenerationConfig,
    "systemInstruction": types.Content,
    "toolConfig": types.ToolConfig,
    "tools": list[types.Tool],
}

for line in sys.stdin:
    for key, value in json.loads(line).items():
        TypeAdapter(KEYS[key]).validate_json(json.dumps(value))
