"""What a Sphinx site needs for snippets: the script on each page, and a directive."""

from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.directives.code import CodeBlock

project = "A herb garden"
html_static_path = ["_static"]
html_js_files = [("quire/element.js", {"type": "module"})]
exclude_patterns = ["README.md", "_build"]

ATTRIBUTES = ["id", "db", "setup", "depends-on", "editable", "autorun", "view", "height", "theme", "lang", "playground"]


class QuireSnippet(CodeBlock):
    """A code block inside <quire-snippet>."""

    required_arguments = 0
    optional_arguments = 0
    option_spec = {**CodeBlock.option_spec, **{name: directives.unchanged for name in ATTRIBUTES}}

    def run(self):
        self.arguments = ["javascript"]
        given = "".join(f' {name}="{escape(self.options[name] or "")}"' for name in ATTRIBUTES if name in self.options)
        return [
            nodes.raw("", f"<quire-snippet{given}>", format="html"),
            *super().run(),
            nodes.raw("", "</quire-snippet>", format="html"),
        ]


def setup(app):
    app.add_directive("quire-snippet", QuireSnippet)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
