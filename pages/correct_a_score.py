"""x."""
from pages.kit.frame import frame
PAGE = frame("correct_a_score")
