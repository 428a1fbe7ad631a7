"""Playing cards as small pictures, drawn from curves and polygons: no font with suit symbols, no image files are needed."""

from functools import lru_cache
from math import pi, sqrt

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from tromf.envs import hungarianface
from tromf.envs.shapes import BLACK, EDGE, GOLD, PAPER, RED, curve, draw_suit, font, scaled

RATIO = 1.4  # height of a card by its width
SHADOW = 6  # pixels around a card in which its shadow lies
NARROW = 60  # pixels; narrower cards show their rank and suit large and nothing else
_FINER = 4  # drawn so many times larger, then made smaller: smooth edges

INK = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
FOUR_INKS = {"C": (0, 110, 40), "D": (20, 80, 200), "H": RED, "S": BLACK}

Ink = tuple[int, int, int]
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


def inks(style: str) -> dict[str, Ink]:
    """The colours of the suits of French cards."""
    return FOUR_INKS if style == "four" else INK


def rank_text(card: str) -> str:
    """The rank as printed on a card."""
    return "10" if card[0] == "T" else card[0]


@lru_cache(maxsize=2048)
def card(text: str, width: int, honour: bool = False, dim: bool = False, angle: int = 0, style: str = "two") -> Image.Image:
    """A card (`7H`; '' for its back) with its shadow, RGBA; the card itself has `SHADOW` pixels around it.

    `style`: `hungarian`, or French with suits in two colours, or in `four`.
    """
    w, h, m = width * _FINER, round(width * RATIO) * _FINER, SHADOW * _FINER
    if not text:
        face = _back(w, h)
    elif style == "hungarian":
        face = hungarianface.face(text, w, h, honour, width < NARROW)
    else:
        face = _face(text, w, h, honour, inks(style)[text[1]])
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


def _face(text: str, w: int, h: int, honour: bool, ink: Ink) -> Image.Image:
    face = Image.new("RGB", (w, h), PAPER)
    draw = ImageDraw.Draw(face)
    rank, suit = text[0], text[1]
    small = w < NARROW * _FINER
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
        _court(draw, rank, suit, w, h, honour, ink)
    _index(face, text, w, h, small, ink)
    if not small:  # the corner once more, upside down
        turned = face.rotate(180)
        corner = (round(w * 0.76), round(h * 0.68))
        face.paste(turned.crop((*corner, w, h)), corner)
    outline, thick = (GOLD, w * 0.045) if honour else (EDGE, w * 0.012)
    draw.rounded_rectangle((0, 0, w - 1, h - 1), w * 0.085, outline=outline, width=max(2, round(thick)))
    return face


def _index(face: Image.Image, text: str, w: int, h: int, small: bool, ink: Ink) -> None:
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
        face.paste(ink, (round(x - patch.width / 2), round(h * 0.02 + size * 0.46 - patch.height / 2)), patch)
    else:
        draw.text((x, h * 0.02 + size * 0.46), label, fill=ink, font=font(round(size)), anchor="mm", stroke_width=round(size * 0.03))
    draw_suit(draw, text[1], x, h * 0.02 + size * 1.24, size * 0.66, ink)


def _court(draw: ImageDraw.ImageDraw, rank: str, suit: str, w: int, h: int, honour: bool, ink: Ink) -> None:
    """A framed field with a crown, the letter and two pips."""
    tint = (243, 226, 190) if honour else (250, 232, 226) if ink == RED else (229, 232, 240)
    draw.rounded_rectangle((w * 0.25, h * 0.13, w * 0.75, h * 0.87), w * 0.04, fill=tint, outline=GOLD, width=max(2, round(w * 0.014)))
    draw_suit(draw, suit, w * 0.5, h * 0.745, w * 0.24, ink)
    draw.text((w * 0.5, h * 0.51), rank, fill=ink, font=font(round(w * 0.42)), anchor="mm", stroke_width=round(w * 0.006))
    left, right, base, top = w * 0.35, w * 0.65, h * 0.315, h * 0.195
    if rank == "J":
        draw.rounded_rectangle((left, base - h * 0.035, right, base), w * 0.015, fill=GOLD)
        draw.polygon(
            [*scaled(curve((0.0, 0.0), (0.5, -2.2), (1.0, 0.0)), left + w * 0.03, base - h * 0.03, right - left - w * 0.06, h * 0.09)],
            fill=ink,
        )
        draw.polygon(
            scaled(
                curve((0.0, 0.0), (0.1, -1.0), (1.0, -1.2)) + curve((1.0, -1.2), (0.55, -0.5), (0.0, 0.0)),
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
