"""The pages: what agents learned, for people who would rather look than read JSON.

    surface    all pages as one application, for a server that lets people in and hands over memories
    asked      one request: who asks, for which project, with which words
    pages/     what each page shows and what its forms do: functions from a request to values
    templates/ how it looks;  static/  its one style sheet and its few lines of script
    drawing    numbers → small pictures, drawn here: no page needs a script to be read
    words      numbers, times and texts as people read them
    assets     the files that a page loads, under names that change with their content
    report     the overview as one file that needs no server

What comes in is a request that the server's guard let in; what goes out is HTML. Every text of the memory is shown as
text. A page works as plain links and forms; htmx, uPlot and a typeface, packed into the wheel when it is built, only
make it nicer. It knows Memory, and nothing of the other surfaces.
"""
