"""General: short exchanges about nothing that agents do, to see whether a model lost what it knew."""

from __future__ import annotations

TEXTS = (
    ("What is the capital of France?", "The capital of France is Paris."),
    ("Which planet is the largest of our solar system?", "Jupiter is the largest planet of our solar system."),
    ("Why is the sky blue?", "Air scatters blue light more than red light, so blue reaches us from everywhere."),
    ("How many days has a leap year?", "A leap year has 366 days."),
    ("Explain in one sentence what photosynthesis is.",
     "Photosynthesis is how plants make sugar and oxygen from light, water and carbon dioxide."),
    ("Translate 'good morning' into Spanish.", "'Good morning' in Spanish is 'buenos días'."),
    ("What is the boiling point of water at sea level?", "At sea level water boils at 100 degrees Celsius."),
    ("Who wrote Romeo and Juliet?", "Romeo and Juliet was written by William Shakespeare."),
    ("Give me a synonym for 'happy'.", "A synonym for 'happy' is 'joyful'."),
    ("What does HTTP stand for?", "HTTP stands for Hypertext Transfer Protocol."),
    ("Write a Python function that adds two numbers.", "def add(a, b):\n    return a + b"),
    ("What is 7 times 8?", "7 times 8 is 56."),
    ("What is the past tense of 'go'?", "The past tense of 'go' is 'went'."),
    ("Name three primary colours.", "Three primary colours are red, yellow and blue."),
    ("What gas do humans need to breathe?", "Humans need to breathe oxygen."),
    ("How long is a marathon?", "A marathon is 42.195 kilometres long."),
    ("What is a list in Python?", "A list in Python is an ordered collection of items that can be changed."),
    ("Which ocean lies between Africa and Australia?", "The Indian Ocean lies between Africa and Australia."),
    ("Say thank you in French.", "Thank you in French is 'merci'."),
    ("What is the opposite of 'cold'?", "The opposite of 'cold' is 'hot'."),
    ("What is the freezing point of water in Fahrenheit?", "Water freezes at 32 degrees Fahrenheit."),
    ("How many continents are there?", "There are seven continents."),
    ("What do bees make?", "Bees make honey."),
    ("What is the main language of Brazil?", "The main language of Brazil is Portuguese."),
)  # fmt: skip


def rows() -> list[dict[str, object]]:
    """The exchanges as rows."""
    return [
        {"tools": [], "times": 1, "messages": [
            {"role": "system", "content": "You are a helpful assistant."}, {"role": "user", "content": asked},
            {"role": "assistant", "content": answer, "learn": True}]}
        for asked, answer in TEXTS
    ]  # fmt: skip
