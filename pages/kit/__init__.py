"""What the pages share: frame and guard, controls, downloads, badges."""
