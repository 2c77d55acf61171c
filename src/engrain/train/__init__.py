"""From the journal to an adapter, behind gates that cannot be fooled.

    journal ──▶ sessions ──▶ trajectories ──▶ rows ──▶ audit ──▶ adapter ──▶ answers ──▶ gates ──▶ a model

    recipe       one flat file says everything that was decided; it is kept beside what it made
    trajectory   the events of a session → what was said, called and answered, in order
    flaws        which calls and sessions nobody should learn from, each with its reason
    tools        what a tool takes, as its calls show it
    windows      a long session in pieces; a call is never cut from its result
    examples     rows, deduplicated, capped, split by session and time; MANIFEST.json tells what became of everything
    formats      the same rows for other trainers
    shape        calls as text and back; what a chat template can't say itself
    render       a row → token ids and labels: the assistant's, with the end of turn
    audit        what is in the rows, held to thresholds, before anything is trained
    device       where it runs and in which precision, and why
    base         the model to begin from: a folder, or a GGUF file
    pack         texts beside each other in one row, blind to each other
    fused        the model in fewer, larger steps; attend: which attention is quickest
    loss         what a batch costs, whichever way the model runs
    lora         the loop: an adapter, its metrics, checkpoints to go on from
    points       places of held-out sessions where the model is asked what comes next
    ask          questions → the model's own words
    rollout      many turns, with the recorded results
    gates        bounds, each shown first that it can say no
    evaluate     candidate, base and incumbent at the same places → report
    export/      a run and its base → merged, as GGUF, with a card: a model that others can run
    serving/     a GGUF file that answers as OpenAI's API does, and is stopped where it goes in circles

What comes in are events and a folder; what goes out are files. It knows neither `learn` nor `recall`. torch,
transformers, peft and accelerate are loaded inside the modules that need them (`render` and above need a tokenizer
alone), and nothing of them when data is made ready without a model.

Not covered: full fine-tuning, images, preference optimisation (its pairs can be exported), models whose template
rewrites what was said in earlier turns.
"""
