"""The simulation core: ticks, slots, queues. It knows no units, no texts and no scenario.

``timeline``  the arrivals, by job number and by tick
``flow``      tracking jobs through free slots as whole runs, in closed form
``pool``      reports among them: who may take a slot, and when
``walk``      slot by slot at each tick with an event, for designs whose jobs are cut or queue at a slot
``run``       a design as a declaration: how its jobs are queued, chosen and cut
"""
