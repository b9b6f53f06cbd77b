"""Methods: definitions, where every number comes from, what intervals cover, questions, citations."""

from pages.kit.frame import frame, heading
from pages.kit.guard import guard
from pages.kit.presets import show_presets
from pages.parts.methods.controls import CONTROLS, PRESETS
from pages.parts.methods.views import page_claim, show_section

PAGE = frame("methods", CONTROLS)

heading(
    page_claim,
    "Published values are taken as printed, recomputed ones come from item scores that are bundled, simulated ones from a random generator. "
    "Badges keep them apart.",
    fallback=PAGE.title,
)
show_presets(PAGE, CONTROLS, PRESETS)
with guard():
    show_section(PAGE)
