"""Worker pools, supervision, shutdown, schedules and the queue's own cost: what surrounds the plan's report job.

One module a model. Each has an `Inputs` class (its options with their units, bounds and defaults), a `report` function
from inputs and the plan's load to a `report.Report`, and pure functions between them::

    inputs, load -> pool | limits (usl) | supervise (crashes) | shutdown | recurring (calendar)
                    | scheduling | broker | audit | settings -> report

Results are data: numbers, rows and sentences by their key in the catalogue; never markup.
"""
