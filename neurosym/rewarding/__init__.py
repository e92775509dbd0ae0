"""Rewards for training: a number, or none where the tool failed, that no trick of a program earns."""
