"""The document of `shapeflow numeric` as text, Markdown and JSON."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List

    from shapeflow.numeric.suspects import Document, Suspect


def rendered(document: Document, format: str, described: Callable[[Any], str]) -> str:
    """`described`: a witness in a line."""
    if format == "json":
        return _json(document)
    suspects = document["suspects"]
    say = _markdown if format == "md" else _text
    parts = [say(suspect, described) for suspect in suspects]
    lines = len({(s["file"], s["line"]) for s in suspects})
    count = f"{len(suspects)} suspect{'s' * (len(suspects) != 1)}"
    last = f"{count} on {lines} line{'s' * (lines != 1)}"
    if not suspects:
        last = "no operation whose numbers may break"
    if not document["operations"]:
        return "no operation was seen: nothing is known of its numbers"
    known = document["operations"] - document["trivial"]
    parts.append(f"{last}; {known} of {document['operations']} operations are modelled")
    return "\n\n".join(parts)


def _json(document: Document) -> str:
    import json

    def finite(item: object) -> Any:
        if isinstance(item, dict):
            return {key: finite(value) for key, value in item.items()}
        if isinstance(item, (list, tuple)):
            return [finite(value) for value in item]
        return str(item) if isinstance(item, float) and item in (float("inf"), float("-inf")) else item

    return json.dumps(finite(document), indent=1)


def _place(file: str, line: int) -> str:
    import os

    if not file:
        return "?"
    near = os.path.relpath(file)
    return f"{file if near.startswith('..') else near}:{line}"


def _source_line(suspect: Suspect) -> List[str]:
    import linecache

    text = linecache.getline(suspect["file"], suspect["line"]).rstrip("\n")
    if not text.strip():
        return []
    begin, end = suspect["column"] - 1, suspect["end_column"] - 1
    number = str(suspect["line"])
    lines = [f"{number} | {text}"]
    if 0 <= begin < end <= len(text):
        lines.append(" " * len(number) + " | " + " " * begin + "^" * (end - begin))
    return lines


def _ways(suspect: Suspect) -> List[str]:
    return [f"{source['op']} at {_place(source['file'], source['line'])}: {source['why']}"
            for source in suspect["sources"]]


def _chance(suspect: Suspect) -> List[str]:
    chance = suspect["chance"]
    return [] if chance is None else [f"a normal number: each element is there with probability {chance:.1g}"]


def _text(suspect: Suspect, described: Callable[[object], str]) -> str:
    place = _place(suspect["file"], suspect["line"])
    lines = [f"{place}: {suspect['message']} [{suspect['code']}]"]
    lines += ["    " + line for line in _source_line(suspect)]
    lines += [f"  {'from' if i == 0 else 'of'} {way}" for i, way in enumerate(_ways(suspect))]
    lines += [f"  {line}" for line in _chance(suspect)]
    lines += [f"  safe with {fix['title']}" for fix in suspect["fixes"]]
    witness: object = suspect.get("witness")
    if witness:
        lines.append("  " + described(witness))
    return "\n".join(lines)


def _markdown(suspect: Suspect, described: Callable[[object], str]) -> str:
    place = _place(suspect["file"], suspect["line"])
    lines = [f"### `{place}`: {suspect['code']}", "", suspect["message"] + "."]
    source = _source_line(suspect)
    if source:
        lines += ["", "```", *source, "```"]
    if suspect["sources"]:
        lines += ["", *(f"- {way}" for way in [*_ways(suspect), *_chance(suspect)])]
    if suspect["fixes"]:
        lines += ["", "Safe with:", "", *(f"- `{fix['title']}`" for fix in suspect["fixes"])]
    witness: object = suspect.get("witness")
    if witness:
        lines += ["", described(witness)]
    return "\n".join(lines)
