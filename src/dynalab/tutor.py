"""What a lab says to its learner: verdicts, hints, solutions, predictions, and how far they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dynalab import course
from dynalab.check import Exercise, Verdict, judge
from dynalab.course import CourseError, ExerciseEntry
from dynalab.drawn import failing, view_of
from dynalab.exercises import LabExercises
from dynalab.progress import Progress
from dynalab.schedules.exploration import Schedule
from dynalab.views.card import Card
from dynalab.views.head import Head, Note
from dynalab.views.quiz import Quiz

_TRIES_BEFORE_SOLUTION = 3


class Tutor:
    """One lab's exercises, and one learner's progress through them.

    failure: the last schedule that a check or a search showed to fail, or None.
    """

    def __init__(self, entry: course.Lab, exercises: LabExercises) -> None:
        self._entry = entry
        self._module = exercises
        self._progress = Progress()
        self.failure: Schedule | None = None

    def head(self, engine: str, notice: str = "") -> Head:
        """The lab's number, title and minutes, its exercises with their state, the engine.

        notice: what there is to say about the engine or the tables.
        """
        lab = self._entry
        states = [(each.id, each.title, self._state(each.id)) for each in lab.exercises]
        said = " ".join(filter(None, [notice, self._progress.notice])) or None
        return Head(lab.label, lab.title, lab.minutes, engine, states, said)

    def _state(self, exercise_id: str) -> str:
        if self._progress.solved(exercise_id):
            return "correct"
        return "tried" if self._progress.tries(exercise_id) else "not attempted"

    def _exercise(self, exercise_id: str) -> tuple[Exercise, ExerciseEntry]:
        entry = self._entry.exercise(str(exercise_id))
        for exercise in self._module.EXERCISES:
            if exercise.id == entry.id:
                return exercise, entry
        raise CourseError(f"Exercise {entry.id} has no check.")

    # --- verdicts -----------------------------------------------------------------------------

    def check(self, exercise_id: str, answer: object) -> Card | Note:
        """The card with the verdict on an answer. Never raises for an answer."""
        try:
            exercise, entry = self._exercise(exercise_id)
        except CourseError as error:
            return Note(str(error))
        verdict = judge(exercise, answer, self._module.TABLES)
        if verdict.outcome != "not attempted":
            self._progress.record(entry.id, verdict.outcome == "correct")
        self.failure = failing(verdict.picture) or self.failure
        return self._card(exercise, entry, verdict)

    def _card(self, exercise: Exercise, entry: ExerciseEntry, verdict: Verdict) -> Card:
        lines = list(verdict.lines)
        steps = [verdict.ask]
        failure = failing(verdict.picture)
        if failure is not None:
            steps.append(f'Step through it: lab.replay("{failure.text}")')
        if verdict.outcome == "not attempted":
            lines.append(
                "Write the body above, run the cell, run this one again. "
                f'First hint: lab.hint("{entry.id}")'
            )
        elif verdict.outcome == "correct":
            lines.append(f"Why it works: {exercise.explanation}")
        else:
            if not any(steps):
                steps.append(f'If you want a hint: lab.hint("{entry.id}")')
            if self._progress.tries(entry.id) >= _TRIES_BEFORE_SOLUTION:
                steps.append(f'Or read one way to do it: lab.solution("{entry.id}")')
        picture = view_of(verdict.picture)
        step = "\n".join(filter(None, steps))
        return Card(entry.id, entry.title, verdict.outcome, lines, picture, step)

    def hint(self, exercise_id: str) -> Note:
        """The hints so far, and the next one."""
        try:
            exercise, entry = self._exercise(exercise_id)
        except CourseError as error:
            return Note(str(error))
        seen = self._progress.hints_seen.get(entry.id, 0)
        shown = exercise.hints[: seen + 1]
        self._progress.hints_seen[entry.id] = len(shown)
        many = len(exercise.hints)
        lines = [f"Hint {place} of {many}: {hint}" for place, hint in enumerate(shown, 1)]
        return Note("\n".join(lines))

    def solution(self, exercise_id: str) -> Note:
        """One way to write it: after success, or from the third try on."""
        try:
            _, entry = self._exercise(exercise_id)
            tries = self._progress.tries(entry.id)
            if not self._progress.solved(entry.id) and tries < _TRIES_BEFORE_SOLUTION:
                left = _TRIES_BEFORE_SOLUTION - tries
                return Note(
                    f"The solution of {entry.id} is shown after success, or after {left} more "
                    f'{"try" if left == 1 else "tries"}. Until then: lab.hint("{entry.id}")'
                )
            from dynalab.authoring import solution_of  # nbformat would slow every open_lab

            return Note(f"One way to write {entry.id}:", code=solution_of(entry.id))
        except (LookupError, ValueError, OSError) as error:
            return Note(str(error))

    # --- predictions --------------------------------------------------------------------------

    def predict(
        self, number: str, question: str, options: Sequence[str], answer: str | None
    ) -> Quiz | Note:
        """The question with its options; an `answer` is kept at once."""
        if answer is not None:
            if answer not in options:
                return Note(f"{answer!r} is not one of the options: {', '.join(options)}.")
            self._progress.predictions[number] = answer
        picked = self._progress.predictions.get(number)
        return Quiz(number, question, options, self._keep_prediction(number), picked, answer)

    def _keep_prediction(self, number: str) -> Callable[[str], None]:
        def keep(option: str) -> None:
            self._progress.predictions[number] = option

        return keep

    def predicted(self, number: str, measured: object) -> Note:
        """What was predicted, beside what was measured."""
        picked = self._progress.predictions.get(number)
        said = "You made no prediction." if picked is None else f"You predicted: {picked}."
        return Note(f"{said} Measured: {measured}.")
