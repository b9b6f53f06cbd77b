"""Score gap."""

from pages.kit.frame import frame

PAGE = frame("score_gap")
