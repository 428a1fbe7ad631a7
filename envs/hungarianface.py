"""Hungarian cards as small pictures: hearts, bells, leaves and acorns, Roman numerals, and under each picture the card's name."""

from functools import lru_cache

from PIL import Image, ImageDraw

from tromf.envs.hungarian import NUMERALS, RANKS
from tromf.envs.shapes import EDGE, GOLD, PAPER, RED, Points, circle, curve, font, scaled, suit_shape

INK = {"C": (112, 66, 26), "D": (176, 112, 8), "H": RED, "S": (28, 104, 48)}
_DARK = {"C": (64, 38, 18), "D": (104, 62, 8), "H": (104, 10, 20), "S": (14, 58, 28)}
_COAT = {"C": (150, 96, 46), "D": (222, 168, 44), "H": (200, 46, 52), "S": (62, 140, 72)}
_TINT = {"C": (244, 234, 218), "D": (252, 242, 212), "H": (252, 234, 226), "S": (230, 242, 226)}
_SKIN, _HAIR, _SHADE = (240, 204, 168), (62, 42, 30), (36, 30, 30)
_COLUMN = {"7": (3, 1, 3), "8": (4, 0, 4), "9": (4, 1, 4), "T": (4, 2, 4)}  # pips from left to right

Piece = tuple[Points, tuple[int, int, int]]  # a polygon and its colour
Pen = ImageDraw.ImageDraw


def draw_suit(draw: Pen, suit: str, x: float, y: float, size: float) -> None:
    """A suit symbol of a size in pixels around (x, y)."""
    for polygon, colour in _symbol(suit):
        draw.polygon([(x + px * size, y + py * size) for px, py in polygon], fill=colour)


@lru_cache(maxsize=4)
def _symbol(suit: str) -> tuple[Piece, ...]:
    """A suit symbol as coloured polygons, from back to front, in a square from -0.5 to 0.5, y downwards."""
    dark = _DARK[suit]
    if suit == "H":
        heart = suit_shape("H")[0]
        gleam = curve((-0.33, -0.08), (-0.37, -0.32), (-0.17, -0.34)) + curve((-0.17, -0.34), (-0.29, -0.27), (-0.33, -0.08))
        return (heart, dark), (_shrunk(heart, 0.9), (214, 36, 44)), (gleam, (250, 170, 160))
    if suit == "S":
        half = curve((0.0, -0.5), (0.1, -0.3), (0.3, -0.16)) + curve((0.3, -0.16), (0.56, 0.12), (0.3, 0.26))
        half += curve((0.3, 0.26), (0.1, 0.34), (0.0, 0.2))
        leaf = half + [(-px, py) for px, py in reversed(half)]
        stem = curve((-0.03, 0.18), (-0.02, 0.4), (0.1, 0.5)) + curve((0.17, 0.46), (0.05, 0.36), (0.03, 0.18))
        veins = [_line((0.0, -0.36), (0.0, 0.2), 0.03)]
        veins += [_line((0.0, y), (side * x, y - 0.1), 0.024) for side in (-1, 1) for y, x in ((-0.1, 0.18), (0.06, 0.28), (0.19, 0.24))]
        return (leaf, dark), (stem, dark), (_shrunk(leaf, 0.9), (58, 150, 70)), *((vein, (26, 92, 44)) for vein in veins)
    if suit == "C":
        stem = curve((-0.04, -0.3), (-0.03, -0.42), (0.05, -0.5)) + curve((0.12, -0.46), (0.05, -0.4), (0.05, -0.3))
        half = [*curve((0.27, -0.06), (0.3, 0.26), (0.06, 0.42)), (0.0, 0.5)]
        nut = half + [(-px, py) for px, py in reversed(half)]
        cup = curve((-0.36, -0.02), (-0.36, -0.34), (0.0, -0.34)) + curve((0.0, -0.34), (0.36, -0.34), (0.36, -0.02))
        cup += curve((0.36, -0.02), (0.0, 0.08), (-0.36, -0.02))
        gleam = curve((-0.15, 0.04), (-0.17, 0.22), (-0.06, 0.34)) + curve((-0.06, 0.34), (-0.1, 0.2), (-0.07, 0.06))
        knobs = [circle(x, y, 0.035) for y, xs in ((-0.2, (-0.16, 0.0, 0.16)), (-0.09, (-0.24, -0.08, 0.08, 0.24))) for x in xs]
        green = (78, 112, 46)
        return (
            *((stem, (60, 74, 30)), (nut, dark), (_shrunk(nut, 0.87, 0.04), (184, 118, 52)), (gleam, (226, 176, 112))),
            *((cup, (44, 66, 26)), (_shrunk(cup, 0.88, -0.16), green), *((knob, (128, 158, 78)) for knob in knobs)),
        )
    ring, hole = circle(0.0, -0.4, 0.1), circle(0.0, -0.4, 0.05)
    band = curve((-0.38, 0.0), (0.0, 0.12), (0.38, 0.0)) + curve((0.38, 0.1), (0.0, 0.24), (-0.38, 0.1))
    gleam = curve((-0.26, -0.06), (-0.24, -0.24), (-0.06, -0.28)) + curve((-0.06, -0.28), (-0.18, -0.18), (-0.18, -0.05))
    slit = [_line((0.0, 0.2), (0.0, 0.4), 0.05), circle(0.0, 0.22, 0.055), circle(-0.13, 0.32, 0.04), circle(0.13, 0.32, 0.04)]
    return (
        *((ring, dark), (hole, PAPER), (circle(0.0, 0.08, 0.42), dark), (circle(0.0, 0.08, 0.38), (238, 184, 44))),
        *((gleam, (255, 236, 168)), (band, (190, 40, 40)), *((piece, dark) for piece in slit)),
    )


def _shrunk(points: Points, by: float, middle: float = 0.0) -> Points:
    """A polygon made smaller around (0, middle)."""
    return [(x * by, middle + (y - middle) * by) for x, y in points]


def _line(a: tuple[float, float], b: tuple[float, float], width: float) -> Points:
    """A line as a polygon, pointed at its end."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5
    nx, ny = -dy / length * width / 2, dx / length * width / 2
    return [(a[0] + nx, a[1] + ny), (b[0] + nx * 0.4, b[1] + ny * 0.4), (b[0] - nx * 0.4, b[1] - ny * 0.4), (a[0] - nx, a[1] - ny)]


def face(text: str, w: int, h: int, honour: bool, small: bool) -> Image.Image:
    """The face of a card, w wide and h high; a small one has but its numeral and its suit."""
    image = Image.new("RGB", (w, h), (255, 240, 196) if honour else PAPER)
    draw = ImageDraw.Draw(image)
    rank, suit = text[0], text[1]
    if small:
        _numeral(image, rank, suit, w * 0.5, h * 0.2, w * 0.44, w * 0.84)
        draw_suit(draw, suit, w * 0.5, h * 0.65, w * 0.72)
    else:
        if rank in _COLUMN:
            _pips(draw, rank, suit, w, h)
        elif rank == "A":
            _ace(draw, suit, w, h)
        else:
            _figure(draw, rank, suit, w, h)
        _numeral(image, rank, suit, w * 0.155, h * 0.095, w * 0.21, w * 0.24)
        draw_suit(draw, suit, w * 0.155, h * 0.225, w * 0.18)
        name = RANKS[rank]
        draw.text((w * 0.5, h * 0.93), name, fill=INK[suit], font=font(round(w * 0.155), "ș"), anchor="mm")
    outline, thick = (GOLD, w * 0.045) if honour else (EDGE, w * 0.012)
    draw.rounded_rectangle((0, 0, w - 1, h - 1), w * 0.085, outline=outline, width=max(2, round(thick)))
    return image


def _numeral(image: Image.Image, rank: str, suit: str, x: float, y: float, size: float, room: float) -> None:
    """The Roman numeral around (x, y), made narrower if it is wider than there is room."""
    letters, text = font(round(size)), NUMERALS[rank]
    patch = Image.new("L", (round(letters.getlength(text) + size * 0.3), round(size * 1.3)), 0)
    ImageDraw.Draw(patch).text(
        (patch.width / 2, patch.height / 2), text, fill=255, font=letters, anchor="mm", stroke_width=round(size * 0.035)
    )
    if patch.width > room:
        patch = patch.resize((round(room), patch.height), Image.Resampling.LANCZOS)
    image.paste(INK[suit], (round(x - patch.width / 2), round(y - patch.height / 2)), patch)


def _pips(draw: Pen, rank: str, suit: str, w: int, h: int) -> None:
    """The symbols of a number card in columns, between numeral and name."""
    for column, count in zip((0.42, 0.61, 0.8), _COLUMN[rank], strict=True):
        for k in range(count):
            spread = 0.66 if count > 2 else 0.44
            y = 0.46 + (k / (count - 1) - 0.5) * spread if count > 1 else 0.295 if rank == "7" else 0.46
            draw_suit(draw, suit, w * column, h * y, w * 0.2)


def _ace(draw: Pen, suit: str, w: int, h: int) -> None:
    """Two large symbols, one above the other, on a field with a frame."""
    _field(draw, suit, w, h)
    draw_suit(draw, suit, w * 0.61, h * 0.28, w * 0.45)
    draw_suit(draw, suit, w * 0.61, h * 0.66, w * 0.45)


def _field(draw: Pen, suit: str, w: int, h: int) -> None:
    """The field on which aces and figures stand."""
    draw.rounded_rectangle((w * 0.3, h * 0.07, w * 0.92, h * 0.86), w * 0.04, fill=_TINT[suit])
    _frame(draw, w, h)


def _frame(draw: Pen, w: int, h: int) -> None:
    draw.rounded_rectangle((w * 0.3, h * 0.07, w * 0.92, h * 0.86), w * 0.04, outline=GOLD, width=max(2, round(w * 0.014)))


def _figure(draw: Pen, rank: str, suit: str, w: int, h: int) -> None:
    """A knave with his suit at his foot (II) or over his head (III), or the king on his horse (IV)."""
    _field(draw, suit, w, h)
    king = rank == "K"
    x, top = w * (0.68 if king else 0.61), h * (0.1 if king else 0.16)
    unit = w * 0.5
    foot = (h * 0.855 - top) / unit  # where the frame cuts the figure off

    def at(points: Points) -> Points:
        return scaled(points, x, top, unit, unit)

    coat, dark, trim = _COAT[suit], _DARK[suit], RED if suit == "D" else GOLD
    half = [(0.0, 0.5), (0.1, 0.5), *curve((0.1, 0.5), (0.42, 0.54), (0.44, 0.95)), (0.46, foot), (0.0, foot)]
    body = half + [(-px, py) for px, py in reversed(half)]
    draw.polygon(at(body), fill=coat, outline=dark, width=max(1, round(w * 0.01)))
    draw.polygon(at([(-0.05, 0.5), (0.05, 0.5), (0.05, 1.3), (-0.05, 1.3)]), fill=trim)
    for y in (0.68, 0.84, 1.0, 1.16):
        draw.polygon(at([(-0.2, y), (0.2, y), (0.2, y + 0.035), (-0.2, y + 0.035)]), fill=trim)
    draw.polygon(at([(-0.45, 1.3), (0.45, 1.3), (0.45, 1.42), (-0.45, 1.42)]), fill=dark)
    draw.polygon(at([(-0.07, 1.29), (0.07, 1.29), (0.07, 1.43), (-0.07, 1.43)]), fill=GOLD)
    draw.polygon(at(circle(0.0, 0.36, 0.17)), fill=_SKIN, outline=dark, width=max(1, round(w * 0.008)))
    for side in (-1, 1):
        draw.polygon(at(circle(side * 0.065, 0.34, 0.02)), fill=_SHADE)
        moustache = curve((0.0, 0.41), (0.1, 0.39), (0.17, 0.44)) + curve((0.17, 0.44), (0.08, 0.47), (0.0, 0.43))
        draw.polygon(at([(side * px, py) for px, py in moustache]), fill=_HAIR)
    if king:
        zigzag = [(-0.2, 0.04), (-0.1, 0.13), (0.0, 0.0), (0.1, 0.13), (0.2, 0.04), (0.17, 0.25), (-0.17, 0.25)]
        draw.polygon(at(zigzag), fill=GOLD, outline=(140, 98, 20), width=max(1, round(w * 0.008)))
        for px, py in zigzag[0:5:2]:
            draw.polygon(at(circle(px, py, 0.035)), fill=RED)
        _horse(draw, w * 0.5, h * 0.45, w * 0.62, (h * 0.855 - h * 0.45) / (w * 0.62))
        draw_suit(draw, suit, w * 0.4, h * 0.16, w * 0.18)
    elif rank == "Q":
        draw.polygon(at([(-0.17, 0.27), (-0.2, 0.03), (0.2, 0.03), (0.17, 0.27)]), fill=_SHADE)
        draw.polygon(at([(-0.17, 0.27), (-0.175, 0.21), (0.175, 0.21), (0.17, 0.27)]), fill=GOLD)
        draw.polygon(at(curve((0.14, 0.06), (0.2, -0.2), (0.36, -0.12)) + curve((0.36, -0.12), (0.26, -0.06), (0.18, 0.08))), fill=coat)
        draw_suit(draw, suit, w * 0.42, h * 0.16, w * 0.2)
    else:
        draw.polygon(at(curve((-0.22, 0.27), (-0.16, 0.02), (0.06, 0.06)) + curve((0.06, 0.06), (0.2, 0.1), (0.2, 0.27))), fill=coat)
        draw.polygon(at([(-0.22, 0.27), (-0.21, 0.22), (0.2, 0.22), (0.21, 0.27)]), fill=GOLD)
        draw.polygon(at(curve((0.08, 0.14), (0.24, -0.16), (0.4, 0.0)) + curve((0.4, 0.0), (0.26, -0.02), (0.12, 0.16))), fill=_SHADE)
        draw.polygon(
            scaled(circle(0.0, 0.0, 0.5), w * 0.46, h * 0.745, w * 0.3, w * 0.3), fill=PAPER, outline=dark, width=max(1, round(w * 0.01))
        )
        draw_suit(draw, suit, w * 0.46, h * 0.745, w * 0.2)
    _frame(draw, w, h)


def _horse(draw: Pen, x: float, y: float, size: float, foot: float) -> None:
    """A horse's head and neck in profile, looking left, cut off at y = foot."""
    head = [
        *curve((0.1, 0.0), (0.0, 0.14), (-0.26, 0.4)),
        *curve((-0.3, 0.46), (-0.26, 0.56), (-0.16, 0.52)),
        *curve((-0.16, 0.52), (-0.02, 0.42), (0.08, 0.42)),
        *curve((0.08, 0.42), (0.02, 0.6), (0.0, foot)),
        (0.56, foot),
        *curve((0.56, foot), (0.5, 0.2), (0.22, 0.06)),
        (0.2, -0.08),
    ]
    draw.polygon(scaled(head, x, y, size, size), fill=(226, 218, 206), outline=(80, 70, 64), width=max(1, round(size * 0.02)))
    mane = curve((0.2, 0.0), (0.5, 0.1), (0.58, foot)) + curve((0.46, foot), (0.42, 0.3), (0.2, 0.08))
    draw.polygon(scaled(mane, x, y, size, size), fill=(120, 108, 98))
    draw.polygon(scaled(circle(0.0, 0.2, 0.03), x, y, size, size), fill=_SHADE)
    draw.line(scaled([(-0.13, 0.3), (-0.06, 0.43), (0.06, 0.4), (0.26, 0.6)], x, y, size, size), fill=RED, width=max(1, round(size * 0.03)))
