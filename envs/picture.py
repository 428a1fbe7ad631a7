"""A table as a picture: green felt, the seats around it, what lies on it. Everything drawn comes from a `TableView`."""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, pi, sin

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from tromf.envs import hungarian, hungarianface
from tromf.envs.cardface import RATIO, card, inks
from tromf.envs.shapes import GOLD, RED, draw_suit, font
from tromf.envs.view import SUIT_NAMES, Laid, SeatView, TableView

WIDTH, HEIGHT = 1280, 880
_CENTRE = (WIDTH // 2, 430)
_FELT, _IVORY, _QUIET = (22, 104, 66), (246, 241, 226), (190, 205, 190)
_ROLE_COLOURS = {"attacker": (198, 62, 48), "defender": (44, 104, 190), "dealer": (236, 226, 196)}
_OTHER_ROLE = (38, 128, 118)
_SIDES = ((52, 92, 160), (164, 84, 36))  # colours of the sides, in the order of the seats
_KNOWN = (70, 130, 200)
_SMALL, _SMALLEST = 50, 44  # widths of the cards of the seats across the table

# Where the other seats sit, clockwise from the left of the viewer: (x of the middle, top edge) of plate and cards.
_PLACES: dict[int, list[tuple[int, int]]] = {
    1: [(640, 40)],
    2: [(300, 110), (980, 110)],
    3: [(150, 330), (640, 40), (1130, 330)],
    4: [(150, 350), (400, 48), (880, 48), (1130, 350)],
    5: [(150, 350), (330, 78), (640, 36), (950, 78), (1130, 350)],
    6: [(150, 440), (160, 190), (450, 42), (830, 42), (1120, 190), (1130, 440)],
    7: [(150, 450), (160, 200), (390, 46), (640, 36), (890, 46), (1120, 200), (1130, 450)],
}


def draw(view: TableView, viewer: int | None, cards: str = "two") -> np.ndarray:
    """The picture, (880, 1280, 3) uint8; the viewer (seat 0 if None) sits at the bottom. `cards`: the style, see `render.CARD_STYLES`."""
    picture = _background().copy()
    _draw_heading(picture, view, cards)
    _draw_stock(picture, view, cards)
    _draw_discard(picture, view)
    _draw_score(picture, view)
    bottom = viewer or 0
    if view.rows and all(laid.by is not None and not laid.over for row in view.rows for laid in row):
        _draw_trick(picture, view, bottom, cards)
    else:
        _draw_table(picture, view, cards)
    _draw_status(picture, view, cards)
    players = len(view.seats)
    for k, (x, y) in enumerate(_PLACES.get(players - 1, _PLACES[7]), 1):
        seat = view.seats[(bottom + k) % players]
        _draw_plate(picture, view, seat, x, y + 21, viewer)
        _draw_small_hand(picture, view, seat, x, y + 50, cards)
    own = view.seats[bottom]
    _draw_own_hand(picture, view, own, viewer is not None, cards)
    _draw_plate(picture, view, own, WIDTH // 2, HEIGHT - 26, viewer)
    return np.asarray(picture.convert("RGB"))


@lru_cache(maxsize=1)
def _background() -> Image.Image:
    """Room, wooden rim and felt."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    u, v = (x - _CENTRE[0]) / (WIDTH / 2), (y - _CENTRE[1]) / (HEIGHT / 2)
    distance = np.sqrt(u * u + v * v)[..., None]
    grain = np.random.default_rng(0).normal(0, 1, (HEIGHT, WIDTH, 1)).astype(np.float32)
    room = np.array([44, 34, 30], np.float32) * (1.15 - 0.4 * distance) + grain * 0.8
    felt = np.array(_FELT, np.float32) * (1.22 - 0.42 * distance) + grain * 2.2
    wood_grain = np.sin(y * 0.55 + 6 * np.sin(x * 0.006) + 2 * np.sin(x * 0.021))[..., None]
    wood = np.array([112, 68, 38], np.float32) * (1.15 - 0.2 * distance) + wood_grain * 5 + grain * 1.5
    layers = [Image.fromarray(np.clip(layer, 0, 255).astype(np.uint8)) for layer in (room, wood, felt)]
    picture = layers[0]
    shadow = _oval(26).filter(ImageFilter.GaussianBlur(16))
    picture.paste((8, 6, 5), (0, 0), shadow.point([v * 3 // 4 for v in range(256)]))
    picture.paste(layers[1], (0, 0), _oval(0))
    picture.paste((58, 33, 18), (0, 0), _oval(-22))
    picture.paste(layers[2], (0, 0), _oval(-26))
    inner = Image.composite(Image.new("L", picture.size, 0), _oval(-26), _oval(-30).filter(ImageFilter.GaussianBlur(14)))
    picture.paste((6, 34, 20), (0, 0), inner.point([v * 3 // 5 for v in range(256)]))
    line = Image.composite(Image.new("L", picture.size, 0), _oval(-58), _oval(-60))
    picture.paste((120, 170, 120), (0, 0), line.point([v // 3 for v in range(256)]))
    return picture.convert("RGBA")


@lru_cache(maxsize=8)
def _oval(grow: int) -> Image.Image:
    """The mask of an oval, a superellipse, that much larger than the table's rim."""
    a, b = (WIDTH / 2 - 22 + grow) * 2, (HEIGHT / 2 - 30 + grow) * 2  # drawn twice as large for smooth edges
    points = []
    for k in range(360):
        c, s = cos(k * pi / 180), sin(k * pi / 180)
        points.append((_CENTRE[0] * 2 + a * np.sign(c) * abs(c) ** 0.72, _CENTRE[1] * 2 + b * np.sign(s) * abs(s) ** 0.72))
    mask = Image.new("L", (WIDTH * 2, HEIGHT * 2), 0)
    ImageDraw.Draw(mask).polygon(points, fill=255)
    return mask.reduce(2)


@dataclass(frozen=True)
class _Pill:
    """A rounded label: cached, since labels repeat from picture to picture."""

    text: str
    size: int
    ink: tuple[int, ...]
    fill: tuple[int, ...]
    outline: tuple[int, ...] | None = None

    @property
    def width(self) -> int:
        return _pill(self).width

    def draw(self, picture: Image.Image, x: float, y: float) -> None:
        """Around the middle (x, y)."""
        image = _pill(self)
        picture.alpha_composite(image, (max(0, round(x - image.width / 2)), max(0, round(y - image.height / 2))))


@lru_cache(maxsize=1024)
def _pill(pill: _Pill) -> Image.Image:
    finer = 2
    letters = font(pill.size * finer, pill.text)
    width = letters.getlength(pill.text) + pill.size * finer * 1.1
    height = pill.size * finer * 1.55
    image = Image.new("RGBA", (round(width), round(height)), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(
        (0, 0, image.width - 1, image.height - 1), height / 2, fill=pill.fill, outline=pill.outline, width=finer * 2 if pill.outline else 0
    )
    pen.text((image.width / 2, image.height / 2), pill.text, fill=pill.ink, font=letters, anchor="mm")
    return image.resize((ceil(width / finer), ceil(height / finer)), Image.Resampling.LANCZOS)


def _write(picture: Image.Image, x: float, y: float, text: str, size: int, ink: tuple[int, ...] = _IVORY, anchor: str = "mm") -> None:
    ImageDraw.Draw(picture).text((x, y), text, fill=ink, font=font(size, text), anchor=anchor)


def _words(line: str, style: str) -> str:
    return hungarian.in_words(line) if style == "hungarian" else line


def _put(
    picture: Image.Image,
    text: str,
    x: float,
    y: float,
    width: int,
    honour: bool = False,
    dim: bool = False,
    angle: int = 0,
    style: str = "two",
) -> None:
    """A card whose upper left corner, before turning, is at (x, y); it is turned around its middle."""
    image = card(text, width, honour, dim, angle, style)
    left = x + width / 2 - image.width / 2
    top = y + round(width * RATIO) / 2 - image.height / 2
    picture.alpha_composite(image, (max(0, round(left)), max(0, round(top))))


def _draw_heading(picture: Image.Image, view: TableView, style: str) -> None:
    _write(picture, 26, 30, view.title, 27, GOLD, "lm")
    parts = view.subtitle.split(" · ")
    for k, part in enumerate(parts):
        _write(picture, 26, 57 + 18 * k, part, 14, (214, 204, 186), "lm")
    if not (view.trump or view.trump_note):
        return
    right = WIDTH - 26
    _write(picture, right, 30, "trumps", 19, GOLD, "rm")
    if view.trump:
        box = (right - 46, 48, right, 94)
        pen = ImageDraw.Draw(picture)
        pen.rounded_rectangle(box, 9, fill=(252, 250, 243))
        patch = Image.new("RGBA", (160, 160), (0, 0, 0, 0))
        if style == "hungarian":
            hungarianface.draw_suit(ImageDraw.Draw(patch), view.trump, 80, 80, 136)
        else:
            draw_suit(ImageDraw.Draw(patch), view.trump, 80, 80, 136, inks(style)[view.trump])
        picture.alpha_composite(patch.resize((40, 40), Image.Resampling.LANCZOS), (right - 43, 51))
        _write(picture, right - 56, 62, (hungarian.SUITS if style == "hungarian" else SUIT_NAMES)[view.trump], 17, _IVORY, "rm")
        _write(picture, right - 56, 82, view.trump_note, 13, (214, 204, 186), "rm")
    else:
        for k, line in enumerate(view.trump_note.split(" after ")):
            _write(picture, right, 58 + 19 * k, ("after " if k else "") + line, 15, (214, 204, 186), "rm")


def _draw_stock(picture: Image.Image, view: TableView, style: str) -> None:
    x, y, width = 316, 368, 76
    height = round(width * RATIO)
    if view.under:
        _put(picture, view.under, x + height * 0.52, y, width, view.under in view.special, angle=90, style=style)
    if view.stock and view.stock > bool(view.under):
        for k in range(min(6, 1 + view.stock // 6)):
            _put(picture, "", x - 1.5 * k, y - 2 * k, width)
    elif view.stock == 0:
        ImageDraw.Draw(picture).rounded_rectangle((x, y, x + width, y + height), 7, outline=(96, 150, 112), width=2)
    if view.stock is not None:
        label, ink = (f"stock {view.stock}", _IVORY) if view.stock else ("stock empty", _QUIET)
        _write(picture, x + width / 2, y + height + 20, label, 16, ink)
    for k, line in enumerate(view.captions[:5]):
        _write(picture, x - 60, y + height + 44 + 18 * k, _words(line, style), 13, _QUIET, "lm")


def _draw_discard(picture: Image.Image, view: TableView) -> None:
    x, y, width = 892, 368, 76
    height = round(width * RATIO)
    if view.discarded:
        turns = [(37 * k) % 23 - 11 for k in range(min(7, 1 + view.discarded // 5))]
        for k, angle in enumerate(turns):
            _put(picture, "", x + (k * 5) % 7 - 3, y + (k * 3) % 5 - 2, width, angle=angle)
        _write(picture, x + width / 2, y + height + 24, f"{view.discarded} gone", 16)


def _draw_table(picture: Image.Image, view: TableView, style: str) -> None:
    """The cards in the middle, as large as there is room for."""
    laid = [each for row in view.rows for each in row]
    if not laid:
        return
    left, right, top, bottom = 476, 872, 218, 600
    rows = [list(row) for row in view.rows]
    width = _widest(rows, right - left, bottom - top)
    for per_row in range(2, max(map(len, rows))):
        cut = [row[k : k + per_row] for row in view.rows for k in range(0, len(row), per_row)]
        wide = _widest([list(row) for row in cut], right - left, bottom - top)
        if wide > 1.2 * width:  # another row must be worth it
            width, rows = wide, [list(row) for row in cut]
    step_y = width * (RATIO + 0.42)
    y = (top + bottom) / 2 - (step_y * len(rows) - width * 0.12) / 2
    for row in rows:
        step = min(width * 1.36, (right - left) / len(row))
        x = (left + right) / 2 - (step * (len(row) - 1) + width * 1.2) / 2
        for each in row:
            _draw_laid(picture, view, each, x, y, width, style)
            x += step
        y += step_y


def _draw_trick(picture: Image.Image, view: TableView, bottom: int, style: str) -> None:
    """Cards each before the seat that played it, clockwise around the middle."""
    players = len(view.seats)
    width = 84 if players <= 4 else 72
    x, y = 640, 404
    radius_x, radius_y = (112, 78) if players <= 4 else (128, 122)
    for laid in (laid for row in view.rows for laid in row):
        turn = 2 * pi * ((laid.by or 0) - bottom) / players
        middle_x, middle_y = x - radius_x * sin(turn), y + radius_y * cos(turn)
        _draw_laid(picture, view, laid, middle_x - width / 2, middle_y - width * RATIO / 2, width, style)


def _draw_score(picture: Image.Image, view: TableView) -> None:
    """The score in the lower right corner."""
    size, right = 20, WIDTH - 26
    y = HEIGHT - 22 - size * (len(view.score) - 1)
    columns = [62.0 * (len(view.score[0]) - 1 - k) for k in range(len(view.score[0]))] if view.score else []
    for k, line in enumerate(view.score):
        for j, (cell, left) in enumerate(zip(line, columns, strict=True)):
            ink = GOLD if k == 0 else _IVORY if j else (214, 204, 186)
            _write(picture, right - left, y + size * k, cell, 14 if k == 0 or j == 0 else 16, ink, "rm")


def _widest(rows: list[list[Laid]], room_x: float, room_y: float) -> int:
    """The width of cards with which rows of pairs fit."""
    return int(min(92, room_x / (1.3 * max(map(len, rows))), room_y / (len(rows) * (RATIO + 0.42))))


def _draw_laid(picture: Image.Image, view: TableView, laid: Laid, x: float, y: float, width: int, style: str) -> None:
    if laid.mark in ("next", "holds"):
        _glow(picture, x, y, width)
    _put(picture, laid.card, x, y, width, laid.card in view.special, dim=laid.mark == "taken", style=style)
    if laid.over:
        _put(picture, laid.over, x + width * 0.24, y + width * 0.3, width, laid.over in view.special, angle=-7, style=style)
    if laid.mark and laid.mark not in ("next", "holds"):
        _Pill(laid.mark, max(11, width // 5), (255, 255, 255), (*RED, 235)).draw(picture, x + width / 2, y + width * RATIO * 0.62)
    if laid.by is not None:
        _write(picture, x + width / 2, y + width * RATIO + 12, f"seat {laid.by}", 13, _QUIET)


def _glow(picture: Image.Image, x: float, y: float, width: int) -> None:
    image = _glow_image(width)
    picture.alpha_composite(image, (round(x) - 14, round(y) - 14))


@lru_cache(maxsize=128)
def _glow_image(width: int) -> Image.Image:
    height = round(width * RATIO)
    mask = Image.new("L", (width + 28, height + 28), 0)
    ImageDraw.Draw(mask).rounded_rectangle((8, 8, width + 20, height + 20), 12, fill=255)
    mask = mask.filter(ImageFilter.GaussianBlur(4))
    image = Image.new("RGBA", mask.size, (255, 214, 90, 0))
    image.putalpha(mask)
    return image


def _draw_status(picture: Image.Image, view: TableView, style: str) -> None:
    if view.status:
        _Pill(_words(view.status, style), 18, _IVORY, (10, 44, 28, 190)).draw(picture, 640, 632)


def _draw_plate(picture: Image.Image, view: TableView, seat: SeatView, x: float, y: float, viewer: int | None) -> None:
    """The seat's name, beside it its side and roles, and how many cards it holds."""
    name = f"seat {seat.seat}{' (you)' if seat.seat == viewer else ''}"
    outline = (255, 214, 90, 255) if seat.acting else None
    ink = (150, 150, 140) if seat.out else _IVORY
    total = len(seat.cards) + seat.hidden
    pills = [_Pill(name, 18, ink, (24, 26, 24, 225), outline)]
    if seat.side:
        sides = list(dict.fromkeys(each.side for each in view.seats))
        partner = viewer not in (None, seat.seat) and view.seats[viewer or 0].side == seat.side
        pills.append(_Pill("partner" if partner else seat.side, 13, _IVORY, (*_SIDES[sides.index(seat.side) % 2], 245)))
    for role in seat.roles:
        fill = _ROLE_COLOURS.get(role, _OTHER_ROLE)
        pills.append(_Pill(role, 13, (40, 36, 28) if role == "dealer" else (255, 255, 255), (*fill, 245)))
    if total:
        pills.append(_Pill(str(total), 13, _IVORY, (60, 70, 64, 225)))
    if seat.note:
        pills.append(_Pill(seat.note, 13, (40, 36, 28), (226, 190, 96, 245)))
    gap = 4
    width = sum(pill.width for pill in pills) + gap * (len(pills) - 1)
    at = min(max(x - width / 2, 8), WIDTH - 8 - width)
    for pill in pills:
        pill.draw(picture, at + pill.width / 2, y)
        at += pill.width + gap


def _draw_small_hand(picture: Image.Image, view: TableView, seat: SeatView, x: float, y: float, style: str) -> None:
    """A hand across the table: backs closely fanned, then the cards that are seen, in as many rows as they need."""
    room = 230
    backs = min(seat.hidden, 10)
    back_step = 11 if backs < 8 else 9
    faces = list(seat.cards)
    width = _SMALL if len(faces) <= 14 else _SMALLEST
    taken_up = (backs - 1) * back_step + width + 6 if backs else 0
    first_room = room - taken_up
    widest_step = width + 3.0 if style == "hungarian" else 30.0  # these have their numerals in the middle
    step = min(widest_step, max(19.0, (first_room - width) / max(1, len(faces) - 1)))
    first = len(faces) if not faces else max(0, min(len(faces), int((first_room - width) / step) + 1))
    rows = [faces[:first]] if faces and first else []
    rest = faces[first:]
    if rest:
        per_row = int((room - width) / 19) + 1
        if not backs:
            count = ceil(len(faces) / per_row)
            per_row = ceil(len(faces) / count)
            rows, rest = [], faces
        rows += [rest[k : k + per_row] for k in range(0, len(rest), per_row)]
        step = 19.0 if backs else min(widest_step, (room - width) / max(1, per_row - 1))
    first_faces = len(rows[0]) if rows and not (backs and first == 0 and faces) else 0
    total = taken_up + ((first_faces - 1) * step + width if first_faces else -6 if backs else 0)
    at = x - total / 2
    for k in range(backs):
        _put(picture, "", at + k * back_step, y, width)
    if backs and first == 0 and faces:
        rows = [[], *rows]
    for r, row in enumerate(rows):
        row_x = at + taken_up if r == 0 else x - ((len(row) - 1) * step + width) / 2
        for k, text in enumerate(row):
            _put(picture, text, row_x + k * step, y + r * width * 0.86, width, text in view.special, style=style)


def _draw_own_hand(picture: Image.Image, view: TableView, seat: SeatView, marked: bool, style: str) -> None:
    """The hand at the bottom, large; cards that everybody knows carry a dot."""
    cards = [*seat.cards, *[""] * seat.hidden]
    if not cards:
        return
    if marked and seat.known & set(cards):
        ImageDraw.Draw(picture).ellipse((28, HEIGHT - 30, 35, HEIGHT - 23), fill=_KNOWN)
        _write(picture, 43, HEIGHT - 27, "known to all", 13, (150, 145, 132), "lm")
    room, width = 820, 88
    per_row = len(cards) if len(cards) <= 26 else ceil(len(cards) / 2)
    rows = [cards[k : k + per_row] for k in range(0, len(cards), per_row)]
    for r, row in enumerate(rows):
        step = min(width * (1.06 if style == "hungarian" else 0.72), (room - width) / max(1, len(row) - 1))
        x = WIDTH / 2 - (step * (len(row) - 1) + width) / 2
        y = HEIGHT - 50 - width * RATIO - 46 * (len(rows) - 1 - r)
        for k, text in enumerate(row):
            _put(picture, text, x + k * step, y, width, text in view.special, style=style)
            if marked and text in seat.known:
                ImageDraw.Draw(picture).ellipse((x + k * step + 6, y + 52, x + k * step + 13, y + 59), fill=_KNOWN)
