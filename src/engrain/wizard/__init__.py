"""The wizard: from the journal to a model in the user's hands, one stage after another, each with its reason to go on.

    machine ▸ data ▸ audit ▸ smoke ▸ smoke gate ▸ train ▸ gate ▸ export ▸ install ▸ verify

    config       one flat file says what is wanted; with it the same can be played again without a screen
    plan         the stages: what each does, what it needs, what it goes by
    state        what was done, written after each stage; one wizard in a folder at a time
    walk         what comes next: a stage to run, a gate to be approved, the end; and doing it
    child        the process that does one stage, and ends with its parent
    work         what a stage is given, and how it tells of itself
    stages       what each stage does, and how it knows that it was done already
    plain        the walk without a screen
    screens      the walk on a screen: the only home of Textual

A stage counts as done when its own file (MANIFEST, AUDIT, RUN, REPORT, EXPORT …) is there and says that it was made of
what is there now; so a kill at any moment costs no more than the stage, training no more than its last checkpoint. A
gate has two words: the measured one, which nobody can turn, and that of a person, which is for one result by its
digest. `plan` and what it walks over know nothing of the screen. A surface, mounted by `cli`.
"""
