"""The walk on a screen.

app        who walks: starts stages, asks for a person's word
setup      what is wanted
course     the stages, and the one that is looked at: its log, figures, time left, the reason to go on
gate       a result, and whether a person lets it pass
handing    the model in use beside the new one, before it is installed
over       what came of it
parts      what these are made of

What is shown was said by models, tools and files of anybody: it is drawn as plain text, never as markup.
"""
