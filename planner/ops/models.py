"""Every model by its name: what it takes, what it answers, and what the plan brings to it.

The commands and the page are made from this table. Imports the models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.ops import audit, broker, inputs, limits, pool, recurring, scheduling, settings, shutdown, supervise
from planner.ops.load import Load
from planner.ops.report import Report
from planner.scenario import Scenario

Answer = Callable[[Any, Load, Scenario], Report]
FromPlan = Callable[[Load], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Model:
    """One model: its `Inputs` class, its answer, and the options that a plan's report job stands for."""

    name: str
    inputs: type[Any]
    answer: Answer
    from_plan: FromPlan

    def ask(self, values: Mapping[str, object], scenario: Scenario, use_plan: bool) -> Report:
        """The answer to `values` (by option; texts as typed or JSON values) beside the plan of `scenario`.

        With `use_plan` the plan's report job takes the place of the source's example; `values` win over both.
        PlannerError for a refused value, or for a plan that expects no reports and so brings no job.
        """
        load = Load.of(scenario)
        chosen = {**self.from_plan(load), **values} if use_plan else dict(values)
        return self.answer(inputs.build(self.inputs, chosen), load, scenario)


def _alone(answer: Callable[[Any, Load], Report]) -> Answer:
    """`answer`, for a model to which the plan's load is enough."""
    return lambda chosen, load, _: answer(chosen, load)


MODELS = {
    model.name: model
    for model in (
        Model("pool", pool.Inputs, _alone(pool.report), pool.from_plan),
        Model("limits", limits.Inputs, _alone(limits.report), limits.from_plan),
        Model("supervise", supervise.Inputs, _alone(supervise.report), supervise.from_plan),
        Model("shutdown", shutdown.Inputs, _alone(shutdown.report), shutdown.from_plan),
        Model("recurring", recurring.Inputs, _alone(recurring.report), recurring.from_plan),
        Model("scheduling", scheduling.Inputs, scheduling.report, scheduling.from_plan),
        Model("broker", broker.Inputs, _alone(broker.report), broker.from_plan),
        Model("audit", audit.Inputs, _alone(audit.report), audit.from_plan),
        Model("settings", settings.Inputs, _alone(settings.report), settings.from_plan),
    )
}
