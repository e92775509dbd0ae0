"""Real functions: closed forms proved equal on their domain, what rounding adds, and how two of them differ."""
