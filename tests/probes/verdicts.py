"""How an answer of ShapeFlow stands to TensorFlow's: the same, less, unknown, or wrong."""


def verdict(real, ours):
    """same; less: a part is not known; unknown; missed: an error that TensorFlow alone has; wrong."""
    if real == ours:
        return "same"
    if ours == ["?"]:
        return "unknown"
    if _raises(real):
        return "missed" if not _raises(ours) else "wrong"
    return "less" if _is_less(real, ours) else "wrong"


def _raises(answer):
    return isinstance(answer, list) and answer[:1] == ["raises"]


def _is_less(real, ours):
    if real == ours or ours is None or ours == ["?"]:
        return True
    if isinstance(real, list) and isinstance(ours, list):
        return len(real) == len(ours) and all(map(_is_less, real, ours))
    if isinstance(real, dict) and isinstance(ours, dict):
        return real.keys() == ours.keys() and all(_is_less(real[key], ours[key]) for key in real)
    return False


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line and not line.startswith("#")]
