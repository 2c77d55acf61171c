"""A GGUF file answers over HTTP, as OpenAI's API does, and does not run in circles.

    request ──▶ asked ──▶ template ──▶ engine ──▶ turn ──▶ told ──▶ answer
                                        (GGUF)      ▲
                                       calls · guard ┘

    header       what a GGUF file says of itself, and whether it is whole
    template     messages → the text that the model was trained on; where it stops: asked of its chat template
    engine       text → more text; the only module with xllamacpp
    calls        what a model wrote → text, thought, calls, in whichever form it writes them
    guard        calls made before and about to be made → which go out, and what is said in place of the rest
    turn         text as it comes → what may be shown already, and when to end; nothing that would be taken back
    asked        a request's JSON → what is asked, or the line that says what is wrong with it
    told         a turn → the answer's JSON, whole or in pieces
    http         the listener, on 127.0.0.1 alone
    talk         a chat with real, harmless tools in one folder, over HTTP

The guard stands where every answer passes: xllamacpp's own listener is a socket in a folder of this user's, behind a
key that nobody is told. It knows nothing of the journal.

Not covered: pictures, several answers to one question, probabilities of tokens, tools that must be called.
"""
