"""The field that filters the long pages of the documentation, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "_static" / "filter.js"
PAGE = """<!doctype html><meta charset="utf-8"><article><section><h1>All</h1><div class="filter"></div>
<section id="v14"><h2>14</h2><ul><li>14/array-append</li><li>14/extract</li></ul></section>
<section id="v15"><h2>15</h2><table><tbody><tr><td>15/array</td></tr></tbody></table></section>
</section></article><script>SCRIPT</script>"""


@pytest.mark.thorough
def test_words_leave_the_entries_that_have_them_all(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE.replace("SCRIPT", SCRIPT.read_text(encoding="utf-8")), encoding="utf-8")
    browser.get(f"{page.as_uri()}?filter=array+14")

    def shown() -> list[str]:
        entries = "[...document.querySelectorAll('li, td, h2')]"
        return browser.execute_script(
            f"return {entries}.filter(each => each.checkVisibility()).map(each => each.textContent)"
        )

    assert shown() == ["14", "14/array-append"]
    assert browser.find_element("css selector", "output").text == "1 of 3"
    field = browser.find_element("id", "filter")
    field.clear()
    field.send_keys("array")
    assert shown() == ["14", "14/array-append", "15", "15/array"]
