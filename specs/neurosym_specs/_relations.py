"""The ``[[relation]]`` tables, written out or in a short form."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from neurosym_specs import _short_forms as short
from neurosym_specs._faults import show, unknown, wrong_kind
from neurosym_specs._tables import Head, Table, expression
from neurosym_specs._words import check_identifier
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.language import RESERVED
from neurosym_specs.model import Reference, Relation
from neurosym_specs.types import ListType, Type

ShortForm: TypeAlias = Literal["vary", "monotone", "order_free"]
_SHORT_FORMS: tuple[ShortForm, ...] = ("vary", "monotone", "order_free")
RELATION_KEYS = ("runs", "given", "that", "slack", *_SHORT_FORMS)


class RelationReader:
    """Reads relations over the inputs and the output of one spec, within its reference's tolerance."""

    def __init__(self, inputs: Mapping[str, Type], output: Type, reference: Reference | None) -> None:
        self._inputs = inputs
        self._output = output
        self._tolerances = (reference.abs_tol, reference.rel_tol) if reference else (Fraction(0), Fraction(0))

    def read(self, table: Table, head: Head) -> Relation:
        """One ``[[relation]]``; a short form is spelled out into ``given`` and ``that``."""
        runs = self._runs(table)
        forms: list[ShortForm] = [key for key in _SHORT_FORMS if key in table]
        if len(forms) > 1:
            raise SpecError(
                f"{' and '.join(forms)} are two short forms", table.at(forms[1]), hint="write two relations"
            )
        given = table.text("given") if "given" in table else ""
        if "given" in table and not given.strip():
            raise SpecError("the expression is empty", table.at("given"))
        if not forms:
            return Relation(
                **head,
                runs=runs,
                given=table.optional_expression("given"),
                that=table.expression("that"),
                slack=table.tolerance("slack"),
            )
        form = forms[0]
        varied, spelled_given, spelled_that = self._spelled(form, table, runs)
        if given and spelled_given:
            spelled_given = f"({given.strip()}\n) and {spelled_given}"
        elif given:
            spelled_given = given
        that = expression(spelled_that, table.at(form)) if spelled_that else table.expression("that")
        return Relation(
            **head,
            runs=runs,
            given=expression(spelled_given, table.at("given" if given else form)) if spelled_given else None,
            that=that,
            slack=table.tolerance("slack"),
            short_form=form,
            varied=varied,
        )

    def _spelled(self, form: ShortForm, table: Table, runs: tuple[str, ...]) -> tuple[tuple[str, ...], str, str]:
        """The varied inputs, the given and the that of a short form; no that for ``vary``, which has its own."""
        if form == "vary":
            varied = table.names("vary", self._inputs, "input")
            return varied, short.equal_but(varied, self._inputs, runs), ""
        if "that" in table:
            raise SpecError(
                f"{form} says itself what must hold",
                table.at("that"),
                hint="leave out that, or write given and that",
            )
        if len(runs) != 2:
            raise SpecError(f"{form} speaks of two runs, not of {len(runs)}", table.at("runs"))
        tolerances = self._tolerances
        if form == "order_free":
            varied = table.names("order_free", self._inputs, "input")
            for name in varied:
                if not isinstance(self._inputs[name], ListType):
                    raise SpecError(f'the input "{name}" is no list', table.at("order_free"))
            that = short.results_equal(self._output, runs, *tolerances)
            return varied, short.order_free_given(varied, self._inputs, runs), that
        directions = self._directions(table)
        that = short.result_not_lower(self._output, runs, *tolerances)
        return tuple(directions), short.monotone_given(directions, self._inputs, runs), that

    def _directions(self, table: Table) -> dict[str, str]:
        raw = table.required("monotone")
        at = table.at("monotone")
        if not isinstance(raw, dict) or not raw:
            raise wrong_kind('a table like { balance = "up" }', raw, at)
        for name, direction in raw.items():
            if name not in self._inputs:
                raise unknown("input", name, self._inputs, at)
            if direction not in ("up", "down"):
                raise unknown("direction", direction, ("up", "down"), at)
            if not short.has_order(self._inputs[name]):
                raise SpecError(
                    f'the input "{name}" has no order',
                    at,
                    hint="numbers, dates, strings and ordered enums have",
                )
        if not short.has_order(self._output):
            raise SpecError("the result has no order", at, hint="numbers, dates, strings and ordered enums have")
        return dict(raw)

    def _runs(self, table: Table) -> tuple[str, ...]:
        if "runs" not in table:
            return ("a", "b")
        runs = table.texts("runs")
        at = table.at("runs")
        if not 2 <= len(runs) <= 10:
            raise wrong_kind('two to ten names, like ["a", "b"]', list(runs), at)
        for run in runs:
            check_identifier(run, "a run", at)
            if run in RESERVED:
                raise SpecError(f'"{run}" is a word of the expression language and no name for a run', at)
        if len(set(runs)) < len(runs):
            raise SpecError(f"{show(list(runs))} repeats a name", at)
        return runs
