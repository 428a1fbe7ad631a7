"""Playing cards as small pictures, drawn from curves and polygons: no font with suit symbols, no image files are needed."""

from functools import lru_cache
from importlib.util import find_spec
from math import cos, pi, sin, sqrt
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

RATIO = 1.4  # height of a card by its width
SHADOW = 6  # pixels around a card in which its shadow lies
_FINER = 4  # drawn so many times larger, then made smaller: smooth edges

RED, BLACK = (190, 22, 34), (28, 28, 32)
INK = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
PAPER, EDGE, GOLD = (252, 250, 243), (150, 146, 134), (214, 164, 54)
_PIPS: dict[str, list[tuple[float, float]]] = {  # places of the pips of a number card, columns from -1 to 1, rows from -1 to 1
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": [(x, y) for x in (-1, 1) for y in (-1, 1)],
    "5": [*[(x, y) for x in (-1, 1) for y in (-1, 1)], (0, 0)],
    "6": [(x, y) for x in (-1, 1) for y in (-1, 0, 1)],
    "7": [*[(x, y) for x in (-1, 1) for y in (-1, 0, 1)], (0, -0.5)],
    "8": [*[(x, y) for x in (-1, 1) for y in (-1, 0, 1)], (0, -0.5), (0, 0.5)],
    "9": [*[(x, y) for x in (-1, 1) for y in (-1, -1 / 3, 1 / 3, 1)], (0, 0)],
    "T": [*[(x, y) for x in (-1, 1) for y in (-1, -1 / 3, 1 / 3, 1)], (0, -2 / 3), (0, 2 / 3)],
}

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
        return ([p for a, b in sides for p in _curve(a, ((a[0] + b[0]) * 0.42, (a[1] + b[1]) * 0.42), b)],)
    if suit == "H":
        return (_heart(0.5, 0.0, 1.0),)
    stem = [*_curve((-0.22, 0.5), (-0.03, 0.42), (-0.035, 0.05)), *_curve((0.035, 0.05), (0.03, 0.42), (0.22, 0.5))]
    if suit == "S":
        return (_heart(0.43, -0.07, -1.0), stem)
    return (_circle(0.0, -0.255, 0.235), _circle(-0.255, 0.1, 0.235), _circle(0.255, 0.1, 0.235), _circle(0.0, 0.0, 0.12), stem)


def _curve(a: tuple[float, float], control: tuple[float, float], b: tuple[float, float]) -> Points:
    """A quadratic Bézier curve."""
    weights = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (k / 16 for k in range(17))]
    return [(u * a[0] + v * control[0] + w * b[0], u * a[1] + v * control[1] + w * b[1]) for u, v, w in weights]


def _circle(x: float, y: float, radius: float) -> Points:
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


def rank_text(card: str) -> str:
    """The rank as printed on a card."""
    return "10" if card[0] == "T" else card[0]


@lru_cache(maxsize=2048)
def card(text: str, width: int, honour: bool = False, dim: bool = False, angle: int = 0) -> Image.Image:
    """A card (`7H`; '' for its back) with its shadow, RGBA; the card itself has `SHADOW` pixels around it."""
    w, h, m = width * _FINER, round(width * RATIO) * _FINER, SHADOW * _FINER
    face = _back(w, h) if not text else _face(text, w, h, honour)
    if dim:
        face = Image.blend(face, Image.new("RGB", face.size, (70, 60, 60)), 0.38)
    mask = Image.new("L", (w, h), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, w - 1, h - 1), w * 0.085, fill=255)
    shade = Image.new("L", (w + 2 * m, h + 2 * m), 0)
    shade.paste(mask.point([v * 120 // 255 for v in range(256)]), (m + _FINER, m + 2 * _FINER))
    shade = shade.filter(ImageFilter.GaussianBlur(m * 0.32))
    result = Image.new("RGBA", shade.size, (0, 0, 0, 0))
    result.putalpha(shade)
    face.putalpha(mask)
    result.alpha_composite(face, (m, m))
    if angle:
        result = result.rotate(angle, expand=True, resample=Image.Resampling.BICUBIC)
    return result.resize((round(result.width / _FINER), round(result.height / _FINER)), Image.Resampling.LANCZOS)


def _face(text: str, w: int, h: int, honour: bool) -> Image.Image:
    face = Image.new("RGB", (w, h), PAPER)
    draw = ImageDraw.Draw(face)
    rank, suit = text[0], text[1]
    ink = INK[suit]
    small = w < 60 * _FINER
    if honour:
        draw.rectangle((0, 0, w, h), fill=(255, 240, 196))
    if small:
        draw_suit(draw, suit, w * 0.6, h * 0.64, w * 0.56, ink)
    elif rank in _PIPS:
        for x, y in _PIPS[rank]:
            draw_suit(draw, suit, w * (0.5 + 0.17 * x), h * (0.5 + 0.31 * y), w * 0.185, ink, upright=y <= 0)
    elif rank == "A":
        draw_suit(draw, suit, w * 0.5, h * 0.5, w * (0.58 if suit == "S" else 0.46), ink)
    else:
        _court(draw, rank, suit, w, h, honour)
    _index(face, text, w, h, small)
    if not small:  # the corner once more, upside down
        turned = face.rotate(180)
        corner = (round(w * 0.76), round(h * 0.68))
        face.paste(turned.crop((*corner, w, h)), corner)
    outline, thick = (GOLD, w * 0.045) if honour else (EDGE, w * 0.012)
    draw.rounded_rectangle((0, 0, w - 1, h - 1), w * 0.085, outline=outline, width=max(2, round(thick)))
    return face


def _index(face: Image.Image, text: str, w: int, h: int, small: bool) -> None:
    """Rank over suit in the upper left corner; the narrower the card, the larger for its size."""
    draw = ImageDraw.Draw(face)
    size, x = (w * 0.46, w * 0.215) if small else (w * 0.25, w * 0.135)
    label = rank_text(text)
    if len(label) == 2:  # the ten is drawn wide and made narrower
        patch = Image.new("L", (round(size * 1.7), round(size * 1.3)), 0)
        ImageDraw.Draw(patch).text(
            (patch.width / 2, patch.height / 2), label, fill=255, font=font(round(size)), anchor="mm", stroke_width=round(size * 0.03)
        )
        patch = patch.resize((round(patch.width * 0.78), patch.height), Image.Resampling.LANCZOS)
        face.paste(INK[text[1]], (round(x - patch.width / 2), round(h * 0.02 + size * 0.46 - patch.height / 2)), patch)
    else:
        draw.text(
            (x, h * 0.02 + size * 0.46), label, fill=INK[text[1]], font=font(round(size)), anchor="mm", stroke_width=round(size * 0.03)
        )
    draw_suit(draw, text[1], x, h * 0.02 + size * 1.24, size * 0.66, INK[text[1]])


def _court(draw: ImageDraw.ImageDraw, rank: str, suit: str, w: int, h: int, honour: bool) -> None:
    """A framed field with a crown, the letter and two pips."""
    ink = INK[suit]
    tint = (243, 226, 190) if honour else (250, 232, 226) if ink == RED else (229, 232, 240)
    draw.rounded_rectangle((w * 0.25, h * 0.13, w * 0.75, h * 0.87), w * 0.04, fill=tint, outline=GOLD, width=max(2, round(w * 0.014)))
    draw_suit(draw, suit, w * 0.5, h * 0.745, w * 0.24, ink)
    draw.text((w * 0.5, h * 0.51), rank, fill=ink, font=font(round(w * 0.42)), anchor="mm", stroke_width=round(w * 0.006))
    left, right, base, top = w * 0.35, w * 0.65, h * 0.315, h * 0.195
    if rank == "J":
        draw.rounded_rectangle((left, base - h * 0.035, right, base), w * 0.015, fill=GOLD)
        draw.polygon(
            [*_scaled(_curve((0.0, 0.0), (0.5, -2.2), (1.0, 0.0)), left + w * 0.03, base - h * 0.03, right - left - w * 0.06, h * 0.09)],
            fill=ink,
        )
        draw.polygon(
            _scaled(
                _curve((0.0, 0.0), (0.1, -1.0), (1.0, -1.2)) + _curve((1.0, -1.2), (0.55, -0.5), (0.0, 0.0)),
                right - w * 0.05,
                base - h * 0.03,
                w * 0.12,
                h * 0.1,
            ),
            fill=GOLD,
        )
        return
    points = 5 if rank == "K" else 3
    step = (right - left) / (2 * (points - 1))
    zigzag = [(left + k * step, top + (h * 0.01 if k % 2 == 0 else h * 0.07)) for k in range(2 * points - 1)]
    draw.polygon([*zigzag, (right, base), (left, base)], fill=GOLD)
    draw.line([(left, base - h * 0.018), (right, base - h * 0.018)], fill=ink, width=max(1, round(h * 0.012)))
    for x, y in zigzag[::2]:
        r = w * 0.02 if rank == "K" else w * 0.028
        draw.ellipse((x - r, y - r, x + r, y + r), fill=ink if rank == "K" else GOLD)


def _scaled(points: Points, x: float, y: float, width: float, height: float) -> Points:
    return [(x + px * width, y + py * height) for px, py in points]


def _back(w: int, h: int) -> Image.Image:
    """A back: a woven pattern of two blues in a white frame."""
    y, x = np.mgrid[0:h, 0:w]
    unit = max(w, 1) / 9
    wave = np.cos((x - w / 2 + y - h / 2) * 2 * pi / (unit * sqrt(2))) * np.cos((x - w / 2 - y + h / 2) * 2 * pi / (unit * sqrt(2)))
    light, dark = np.array([92, 124, 190.0]), np.array([38, 58, 122.0])
    weight = np.clip(wave * 2.2 + 0.35, 0, 1)[..., None]
    face = Image.fromarray((dark + (light - dark) * weight).astype(np.uint8))
    draw = ImageDraw.Draw(face)
    frame = round(w * 0.07)
    draw.rounded_rectangle((0, 0, w - 1, h - 1), w * 0.085, outline=PAPER, width=frame)
    draw.rounded_rectangle((frame, frame, w - 1 - frame, h - 1 - frame), w * 0.03, outline=(38, 58, 122), width=max(2, frame // 4))
    draw.rounded_rectangle((0, 0, w - 1, h - 1), w * 0.085, outline=EDGE, width=max(2, round(w * 0.012)))
    return face
