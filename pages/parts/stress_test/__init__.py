"""The stress test page: sources and their check, the attack in portions, results and words."""
