"""Makes links that lead out of docs/ lead to the repository.

On the forge a page links to the sources by relative paths. The site has only what is in
docs/, so such a link becomes the address of the file on the forge. A file that is not
there stops the build.
"""

import posixpath
import re
from pathlib import Path

FILES = (".md", ".png", ".svg")
LINK = re.compile(r"(\]\()([^)#:\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, **_):
    docs = Path(config.docs_dir)
    here = posixpath.dirname(page.file.src_uri)

    def elsewhere(match):
        path = posixpath.normpath(posixpath.join(here, match[2]))
        target = docs / path
        if not path.startswith("..") and target.is_file() and target.suffix in FILES:
            return match[0]
        if not target.exists():
            raise FileNotFoundError(f"{page.file.src_uri} links to {match[2]}, which is not there")
        kind = "tree" if target.is_dir() else "blob"
        inside = posixpath.normpath(posixpath.join("docs", path))
        return f"{match[1]}{config.repo_url}/{kind}/main/{inside}{match[3] or ''})"

    return LINK.sub(elsewhere, markdown)
