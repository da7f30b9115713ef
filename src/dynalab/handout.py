"""A lab as one printable HTML file that loads nothing from the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dynalab.authoring.notebook_files import read
from dynalab.course import CourseError, Lab

# nbconvert's page without its scripts: it would load MathJax, RequireJS and Mermaid from the
# network, and the labs use none of them.
_PAGE = """
{%- extends 'lab/index.html.j2' -%}
{%- block html_head_js -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block jupyter_widgets -%}{%- endblock -%}
{%- block footer_js -%}{%- endblock -%}
{%- block html_head_css -%}
<style>
@media print {
  .jp-CodeCell, tr, figure { break-inside: avoid; }
  h1, h2, h3 { break-after: avoid; }
  .jp-RenderedMarkdown a[href^="http"]::after { content: " (" attr(href) ")"; }
  .jp-InputArea-editor pre, .jp-OutputArea-output pre { white-space: pre-wrap; }
}
</style>
{%- endblock -%}
"""


def write(lab: Lab, root: Path, to: Path, solved: bool = False) -> Path:
    """Writes the handout of a lab into the folder `to`, and returns its file.

    root: the folder of the course. solved: the answers and the stored outputs of solutions/,
    else the lab as learners find it. Raises CourseError where the notebook or the folder to
    write into is not there.
    """
    folder = "solutions" if solved else "labs"
    path = root / folder / lab.notebook
    if not path.is_file():
        raise CourseError(f"There is no {folder}/{lab.notebook} in {root}; get the whole course.")
    ending = "_solved.html" if solved else ".html"
    target = to / f"{lab.slug}{ending}"
    try:
        to.mkdir(parents=True, exist_ok=True)
        target.write_text(page(path, lab), encoding="utf-8", newline="\n")
    except OSError as error:
        raise CourseError(
            f"{target} cannot be written ({error.strerror}); name another folder with --to."
        ) from None
    return target


def page(path: Path, lab: Lab) -> str:
    """The HTML of a notebook. Raises NotebookError where the file is none."""
    from jinja2 import DictLoader
    from nbconvert import HTMLExporter

    exporter: Any = HTMLExporter(
        extra_loaders=[DictLoader({"handout.html.j2": _PAGE})],
        template_file="handout.html.j2",
        embed_images=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    title = f"{lab.label} · {lab.title}"
    body, _ = exporter.from_notebook_node(read(path), resources={"metadata": {"name": title}})
    return str(body)
