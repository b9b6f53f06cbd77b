"""What belongs to one page alone: its controls, its words and its sections."""
