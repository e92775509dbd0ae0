from enum import Enum


class Band(Enum):
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


def risk_band(score: int, exposed: bool) -> Band:
    if not 0 <= score <= 1000:
        raise ValueError("scores lie between 0 and 1,000")
    if score >= 700:
        return Band.HIGH
    return Band.MEDIUM if exposed or score >= 300 else Band.LOW
