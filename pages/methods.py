"""Methods."""

from pages.kit.frame import frame

PAGE = frame("methods")
