"""What a learner looks at: items, bills, charts, sliders and verdicts, in HTML and in text."""
