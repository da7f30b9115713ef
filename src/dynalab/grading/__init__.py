"""Grading a folder of submissions: each runs in a fresh kernel, and the package judges it.

How far a verdict can be trusted. A submission's cells run as they are, and then, exercise by
exercise, the kernel takes what stands under the exercise's names and hands it to the package's
own check. The request and the verdict travel as messages of a type of their own, past IPython's
hooks, so that nothing printed, and no other `lab`, `check` or progress file, is a verdict. Before
each verdict the package's functions and Python's builtins are put back to what they were before
the first cell. The kernel can reach no other machine, start no program, and write no progress but
its own; Python lets nobody take that guard off.

The limit: check and answer share one Python process. Who studies this package, and reaches for
its live objects by the garbage collector, by a thread that waits for the verdict, or by C code,
can forge one; so can an answer that returns objects which claim to equal everything. What was
changed inside the package is told in the submission's row, and a row that surprises you is worth
a look at the notebook. The memory that a submission takes is not bounded.
"""
