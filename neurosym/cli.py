"""The command ``neurosym``. Loads click and nothing else until a command is chosen.

The commands are import strings: ``neurosym --help`` must not wait for a solver. A command returns its exit code.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import io
import os
import sys
from importlib import import_module
from typing import NoReturn

import click
from neurosym_specs.errors import NeurosymError

from neurosym.safe_text import safe_text

COMMANDS = {
    "verify": ("neurosym.commands.verify:verify", "Judge candidates against a spec."),
    "batch": ("neurosym.commands.batch:batch", "Judge thousands of candidates, with many workers."),
    "bench": (
        "neurosym.commands.bench:bench",
        "Measure labelled candidates, a model, or a version against another.",
    ),
    "merge": ("neurosym.commands.merge:merge", "Put the stores of the shards of a batch together."),
    "check": ("neurosym.commands.check:check", "Check a project's functions against their specs."),
    "replay": ("neurosym.commands.replay:replay", "Run what broke a promise again."),
    "recheck": ("neurosym.commands.recheck:recheck", "Say whether evidence is whole, and judge what is in it again."),
    "sign": ("neurosym.commands.sign:sign", "Sign evidence with an OpenSSH key."),
    "verify-signature": ("neurosym.commands.verify_signature:verify_signature", "Say who signed evidence."),
    "solve": ("neurosym.commands.solve:solve", "Have a model write the calculation until one is right."),
    "ask": ("neurosym.commands.ask:ask", "Answer a question by programs that models write apart."),
    "fill": ("neurosym.commands.fill:fill", "Find values for the holes of a sketch, and judge what comes."),
    "prompt": ("neurosym.commands.prompt:prompt", "Print what solve would send to a model."),
    "stats": ("neurosym.commands.stats:stats", "Say how often models were right, from the logs of solve."),
    "reward": ("neurosym.commands.reward:reward", "Say what a model's reply would earn in training."),
    "export": ("neurosym.commands.export:export", "Write what was judged in the logs of solve as training data."),
    "report": ("neurosym.commands.report:report", "Write a stored result in other forms: HTML, JUnit, SARIF."),
    "spec": ("neurosym.commands.spec:spec", "Show a spec, or check it against itself."),
    "regions": ("neurosym.commands.regions:regions", "Show what a function does where, as a table."),
    "diff": ("neurosym.commands.diff:diff", "Show where two versions of a function differ."),
    "explain": ("neurosym.commands.explain:explain", "Print the page about a code."),
    "doctor": ("neurosym.commands.doctor:doctor", "Say what this machine offers: sandbox, solver, versions."),
}

USAGE = 2
ENVIRONMENT = 4
FAULT = 70
INTERRUPTED = 130
BROKEN_PIPE = 141  # 128 + SIGPIPE, as for any program whose reader has gone

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where a report does not fit."""

CODES = {2: "NS702", 4: "NS801"}
"""The page about an error of ours, by its exit code: to know it by its class would load what is heavy."""


class NearestWord(click.Group):
    """A group whose commands are loaded when they are run, and which knows the word that was meant."""

    lazy: dict[str, tuple[str, str]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.lazy:
            ctx.fail(f"there is no command {safe_text(args[0], limit=60)!s}; {nearest(args[0], [*self.lazy])}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.lazy.items()])


def nearest(word: str, legal: list[str]) -> str:
    """The end of a message about an unknown word: the one that was meant, or all of them."""
    near = difflib.get_close_matches(word, legal, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"there are: {', '.join(legal)}"


def _remember_debug(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta["neurosym.debug"] = True


def debugging(ctx: click.Context | None) -> bool:
    """Whether tracebacks are asked for."""
    return os.environ.get("NEUROSYM_DEBUG", "") not in ("", "0") or bool(ctx and ctx.meta.get("neurosym.debug"))


debug_option = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    callback=_remember_debug,
    help="Show the traceback of a fault of ours (also NEUROSYM_DEBUG=1).",
)


def _print_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version  # 20 ms that --help need not wait for

        click.echo(f"neurosym {version('neurosym-verify')}")
        ctx.exit()


@click.group(cls=NearestWord, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Print the version."
)
@debug_option
def cli() -> None:
    """Say whether a calculation that a language model wrote is right: for every input, or where not.

    \b
    Exit codes:
      0  accepted at the required level      4  sandbox, solver or model unavailable
      1  refuted or rejected                 5  nothing to check
      2  usage, or the spec's own fault      70 a fault of this tool
      3  undecided                           130 interrupted
      6  what was broken (replay) no longer is
    """


assert isinstance(cli, NearestWord)
cli.lazy = COMMANDS


def run(arguments: list[str]) -> int:
    """Runs one command line and returns its exit code. Everything that goes wrong ends here, as one message."""
    context: click.Context | None = None
    try:
        context = cli.make_context("neurosym", arguments)
        with context:
            code = cli.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        _show(error)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted; nothing is known of what was not finished")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except NeurosymError as error:
        code = error.code or CODES.get(error.exit_code)
        _say(safe_text(str(error), multiline=True) + (f" ({code})" if code else ""))
        return error.exit_code
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            _drop_output()
            _say(f"the report cannot be written: {error.strerror} (NS803)")
            return ENVIRONMENT
        if debugging(context):
            import traceback

            traceback.print_exc()
        _say(_our_fault(error))
        return FAULT


def main() -> NoReturn:
    """The entry point of the command."""
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # no process that we start takes modules from the current folder
    mend_streams()
    sys.exit(run(sys.argv[1:]))


def mend_streams() -> None:
    """A verdict does not depend on the terminal: a closed stream goes nowhere, what an encoding lacks is escaped."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  # for as long as the process lives
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """What is still in the buffer has no place to go: lets the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show(error: click.ClickException) -> None:
    message = safe_text(error.format_message(), multiline=True)
    if message.startswith("Usage:"):  # a group without a command: the message is its help
        click.echo(message, err=True)
        return
    usage = error.ctx.get_usage() + "\n" if isinstance(error, click.UsageError) and error.ctx else ""
    click.echo(f"{usage}neurosym: {message}", err=True)


def _say(message: str) -> None:
    with contextlib.suppress(OSError):  # there may be nobody left to tell
        click.echo(f"neurosym: {message}", err=True)


def _our_fault(error: BaseException) -> str:
    place = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if "neurosym" in code.co_filename:
            place = f" at {os.path.basename(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    said = safe_text(f"{type(error).__name__}: {error}", limit=300)
    return (
        f"a fault of this tool (NS901): {said}{place}\n"
        "No verdict was reached, and neither the spec nor the candidate is to blame.\n"
        "Run it again with --debug for the traceback, and report that with the spec and the candidate "
        "(CONTRIBUTING.md says where)."
    )
