"""Cut the shipped fonts out of the Noto release, once.

The complete TrueType files are those of the npm packages ``@expo-google-fonts/noto-sans``, ``noto-serif`` and
``noto-sans-math`` (Noto 2.015 and 3.000, SIL Open Font License 1.1). Unpack the three packages into one folder and run::

    pip install fonttools brotli
    python tools/make_fonts.py FOLDER

Each face is written to ``data/fonts`` twice: TTF for image export, WOFF2 for the page. The families get names of their
own, so that a machine's older copy of Noto (Debian's has no minus sign) is never drawn instead. Digits are tabular in the
source already; the script refuses a face in which they are not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parent.parent / "data" / "fonts"

TEXT_RANGES = (
    (0x0020, 0x007E),  # Basic Latin
    (0x00A0, 0x017F),  # Latin-1 Supplement, Latin Extended-A
    (0x0218, 0x021B),  # Romanian comma-below letters
    (0x02BC, 0x02BC),
    (0x0300, 0x0304),
    (0x0370, 0x03FF),  # Greek
    (0x2000, 0x206F),  # General Punctuation
    (0x2070, 0x209F),  # Superscripts and subscripts
    (0x20A0, 0x20BF),
    (0x2100, 0x214F),
    (0x2190, 0x21FF),  # Arrows
    (0x2200, 0x22FF),  # Mathematical Operators
    (0x25A0, 0x25FF),  # Geometric Shapes
)
SYMBOL_RANGES = ((0x2190, 0x2199), (0x21D0, 0x21D5), (0x2200, 0x22FF), (0x25A0, 0x25FF))

FACES = {
    "MirageSans-Regular": ("noto-sans/400Regular/NotoSans_400Regular.ttf", TEXT_RANGES),
    "MirageSans-Italic": ("noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf", TEXT_RANGES),
    "MirageSans-Bold": ("noto-sans/700Bold/NotoSans_700Bold.ttf", TEXT_RANGES),
    "MirageSerif-Regular": ("noto-serif/400Regular/NotoSerif_400Regular.ttf", TEXT_RANGES),
    "MirageSerif-Italic": ("noto-serif/400Regular_Italic/NotoSerif_400Regular_Italic.ttf", TEXT_RANGES),
    "MirageSerif-Bold": ("noto-serif/700Bold/NotoSerif_700Bold.ttf", TEXT_RANGES),
    "MirageSymbols-Regular": ("noto-sans-math/400Regular/NotoSansMath_400Regular.ttf", SYMBOL_RANGES),
}


def _require_tabular(font: TTFont, name: str) -> None:
    cmap, metrics = font.getBestCmap(), font["hmtx"]
    widths = {metrics[cmap[ord(digit)]][0] for digit in "0123456789" if ord(digit) in cmap}
    if len(widths) > 1:
        raise SystemExit(f"The digits of {name} are not of one width: {sorted(widths)}")


def _rename(font: TTFont, name: str) -> None:
    family, style = name.split("-")
    family = f"Mirage {family.removeprefix('Mirage')}"
    table = font["name"]
    for unwanted in (16, 17, 21, 22, 25):
        table.removeNames(nameID=unwanted)
    for number, text in (
        (1, family),
        (2, style),
        (3, f"{family} {style}"),
        (4, f"{family} {style}"),
        (6, name),
    ):
        table.setName(text, number, 3, 1, 0x409)


def main(source: Path) -> None:
    """Write the subset of every face, as TTF and as WOFF2."""
    options = Options(
        hinting=False,
        notdef_outline=True,
        name_IDs=["*"],
        layout_features=[
            "kern",
            "liga",
            "ccmp",
            "locl",
            "mark",
            "mkmk",
            "tnum",
            "lnum",
            "sups",
            "subs",
        ],
    )
    for name, (path, ranges) in FACES.items():
        font = TTFont(source / path, recalcTimestamp=False)
        _require_tabular(font, name)
        _rename(font, name)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=[code for low, high in ranges for code in range(low, high + 1)])
        subsetter.subset(font)
        font.save(TARGET / f"{name}.ttf")
        font.flavor = "woff2"
        font.save(TARGET / f"{name}.woff2")
        sizes = [(TARGET / f"{name}.{kind}").stat().st_size for kind in ("ttf", "woff2")]
        print(f"{name}: {sizes[0]:,} bytes TTF, {sizes[1]:,} bytes WOFF2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
