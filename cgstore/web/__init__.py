"""`cgstore serve`: a local web page and its HTTP API over one Store.

- `app`: the routes of the API and the page, behind `cgstore.web.guard`.
- `bodies`: what requests may hold. `service`: what they do; it knows nothing of HTTP.
- `watching`: what a backend does while it answers, as events; `streams`: events as a response.
- `names`: the names of an answer with other candidates, and programs with a name replaced.
- `uploads`: a file of the page becomes a source.
- `running`: how other commands find a server that runs. It imports nothing heavy.
- `page/`: HTML, style and scripts, without a build step.
"""
