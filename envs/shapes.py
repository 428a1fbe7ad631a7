"""What playing cards are drawn from: suit symbols as polygons, curves, colours, and a font for what is written on them."""

from functools import lru_cache
from importlib.util import find_spec
from math import cos, pi, sin
from pathlib import Path

from PIL import ImageDraw, ImageFont

RED, BLACK = (190, 22, 34), (28, 28, 32)
PAPER, EDGE, GOLD = (252, 250, 243), (150, 146, 134), (214, 164, 54)

Points = list[tuple[float, float]]


def font(size: int, text: str = "") -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font for a text, at a size in pixels: Pillow's own, which knows plain letters only, or DejaVu Sans, which matplotlib brings."""
    return _font(size, text.isascii())


@lru_cache(maxsize=64)
def _font(size: int, plain: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    package = find_spec("matplotlib")  # found, not imported
    path = Path(package.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf" if package and package.origin else None
    if plain or path is None or not path.is_file():
        return ImageFont.load_default(size)
    return ImageFont.truetype(str(path), round(size * 0.94))  # it is the wider of the two


@lru_cache(maxsize=8)
def suit_shape(suit: str) -> tuple[Points, ...]:
    """A suit symbol as polygons in a square from -0.5 to 0.5, y downwards."""
    if suit == "D":
        right, left = (0.39, 0.0), (-0.39, 0.0)
        sides = [((0.0, -0.5), right), (right, (0.0, 0.5)), ((0.0, 0.5), left), (left, (0.0, -0.5))]
        return ([p for a, b in sides for p in curve(a, ((a[0] + b[0]) * 0.42, (a[1] + b[1]) * 0.42), b)],)
    if suit == "H":
        return (_heart(0.5, 0.0, 1.0),)
    stem = [*curve((-0.22, 0.5), (-0.03, 0.42), (-0.035, 0.05)), *curve((0.035, 0.05), (0.03, 0.42), (0.22, 0.5))]
    if suit == "S":
        return (_heart(0.43, -0.07, -1.0), stem)
    return (circle(0.0, -0.255, 0.235), circle(-0.255, 0.1, 0.235), circle(0.255, 0.1, 0.235), circle(0.0, 0.0, 0.12), stem)


def curve(a: tuple[float, float], control: tuple[float, float], b: tuple[float, float]) -> Points:
    """A quadratic Bézier curve."""
    weights = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (k / 16 for k in range(17))]
    return [(u * a[0] + v * control[0] + w * b[0], u * a[1] + v * control[1] + w * b[1]) for u, v, w in weights]


def circle(x: float, y: float, radius: float) -> Points:
    """A circle as a polygon."""
    return [(x + radius * cos(k * pi / 24), y + radius * sin(k * pi / 24)) for k in range(48)]


def _heart(half: float, centre: float, upright: float) -> Points:
    """The well-known heart curve, upside down for spades."""
    points = []
    for k in range(96):
        t = k * 2 * pi / 96
        y = -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) / 17 - 0.15
        points.append((sin(t) ** 3 * half * 0.98, centre + upright * y * half))
    return points


def draw_suit(draw: ImageDraw.ImageDraw, suit: str, x: float, y: float, size: float, colour: tuple[int, ...], upright: bool = True) -> None:
    """A suit symbol of a size in pixels around (x, y)."""
    turn = 1 if upright else -1
    for polygon in suit_shape(suit):
        draw.polygon([(x + turn * px * size, y + turn * py * size) for px, py in polygon], fill=colour)


def scaled(points: Points, x: float, y: float, width: float, height: float) -> Points:
    """Points of a unit square, moved and stretched."""
    return [(x + px * width, y + py * height) for px, py in points]
