"""x."""

from pages.kit.frame import frame

PAGE = frame("pocket_hubble")
