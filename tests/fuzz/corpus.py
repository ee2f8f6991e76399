#!/usr/bin/env python3
"""Makes the corpus of the fuzz targets from replies in a directory, such as recorded ones.

    tests/fuzz/corpus.py DIRECTORY

Reads all JSON files below it, as conformance cases or as plain replies. A case says its `api` and in `runs[].http[]` the
replies: a `body`, a `raw` text, or the events of a stream in `sse`. Histories (`history`) and schemas of parameters
(`parameters`, `parameters_json_schema`) are taken wherever they stand. The corpus is never committed.
"""

import hashlib
import json
import pathlib
import sys

CORPUS = pathlib.Path(__file__).parent / "corpus"
TARGETS = {
    "openai-chat": "chat",
    "groq": "chat",
    "huggingface": "chat",
    "mistral": "chat",
    "openai-responses": "responses",
    "anthropic": "anthropic",
    "bedrock": "bedrock",
    "google": "google",
    "cohere": "cohere",
}
LARGEST = 64 << 10


def keep(target, text):
    """Puts an input into the corpus of a target, once."""
    data = text.encode("utf-8", "surrogatepass")
    if data and len(data) <= LARGEST:
        directory = CORPUS / target
        directory.mkdir(parents=True, exist_ok=True)
        (directory / hashlib.sha1(data).hexdigest()).write_bytes(data)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def stream(events):
    """The text of a stream: events are texts, or what their data says."""
    if isinstance(events, str):
        return events
    lines = []
    for event in events:
        if isinstance(event, dict) and "data" in event:
            event = event["data"]
        lines.append(f"data: {event if isinstance(event, str) else compact(event)}\n\n")
    return "".join(lines)


def keep_replies(case):
    target = TARGETS.get(case.get("api"))
    for run in case.get("runs") or []:
        for reply in (run.get("http") or []) if target and isinstance(run, dict) else []:
            if "sse" in reply:
                keep(f"{target}_stream", stream(reply["sse"]))
            elif isinstance(reply.get("raw"), str):
                keep(f"{target}_reply", reply["raw"])
            elif "body" in reply:
                keep(f"{target}_reply", compact(reply["body"]))


def keep_inner(value):
    """Histories and schemas, wherever they stand."""
    if isinstance(value, list):
        for item in value:
            keep_inner(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key == "history" and isinstance(inner, list):
                keep("history", compact(inner))
            if key in ("parameters", "parameters_json_schema", "parametersJsonSchema") and isinstance(inner, dict):
                keep("schema", compact(inner))
            keep_inner(inner)


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.json")):
        try:
            case = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        if isinstance(case, dict):
            keep_replies(case)
        elif isinstance(case, list) and case and isinstance(case[0], dict) and "kind" in case[0]:
            keep("history", compact(case))
        keep_inner(case)
    for directory in sorted(CORPUS.glob("*")):
        print(f"{directory.name}: {sum(1 for _ in directory.iterdir())} inputs")


if __name__ == "__main__":
    main()
