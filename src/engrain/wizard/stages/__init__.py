"""What each stage does: a function from its work to how it went.

machine    is what training needs here
rows       data, audit: what is trained
adapter    smoke, smoke_gate, train, gate: an adapter, and what the gates say of it
handover   export, install, verify: a model in the user's hands

Every stage ends with what it measured and the reason to go on, and puts itself down in the journal of runs, once.
"""
