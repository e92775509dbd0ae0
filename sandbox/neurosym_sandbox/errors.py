"""What goes wrong with the sandbox itself; what goes wrong with a candidate is an outcome, never one of these."""


class SandboxError(Exception):
    """The root of everything this package raises on purpose."""


class SandboxUnavailable(SandboxError):
    """This machine cannot give the jail that was asked for; the message names what is missing and what would help."""


class JailLost(SandboxError):
    """The jail's own processes died or fell silent twice in a row; the candidate is not to blame and was not judged."""
