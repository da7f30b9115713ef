"""Answers to the exercises: wrong ones that people give, and right ones written differently.

Each module lab01.py, lab02.py … holds
    WRONG: exercise id → (answer, a part of what the card must say) pairs, two or more
    RIGHT: exercise id → answers that the check must accept
"""
