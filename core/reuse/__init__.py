"""The router attack: gates, endpoints, feedback, the attack engine, metrics and the study."""
