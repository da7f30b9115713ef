"""Draws the README's pictures with Chromium: python -m tests.pictures"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from dynalab.lab import Lab, open_lab

FOLDER = Path(__file__).parents[1] / ".github" / "pictures"
POST = "POST#a91f"
WIDTH = 860


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    lab = open_lab("02")
    social = lab.table("Social")
    views = {"schedule": schedule(lab, social), "bill": bill(lab, social)}
    browsers = ("chromium", "chromium-browser", "google-chrome", "chrome")
    path = next(filter(None, map(shutil.which, browsers)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 600}, device_scale_factor=2)
        for name, view in views.items():
            style = "font-family: sans-serif; padding: 4px 16px; display: inline-block"
            page.set_content(f'<main style="{style}">{view._repr_html_()}</main>')
            target = FOLDER / f"{name}.png"
            page.locator("main").screenshot(path=target)
            print(f"{target.name}: {target.stat().st_size:,} bytes")
        browser.close()


def schedule(lab: Lab, social: Any) -> Any:
    """Two likes that each read the tally, add one, and put it back."""
    social.put_item(Item={"PK": POST, "SK": "META", "likeTally": 0})

    def like() -> None:
        meta = social.get_item(Key={"PK": POST, "SK": "META"})["Item"]
        social.put_item(Item={**meta, "likeTally": meta["likeTally"] + 1})

    def both_count(outcome: Any) -> Any:
        tally = outcome.item("Social", PK=POST)["likeTally"]
        return tally == 2 or f"2 likes, the tally says {tally}"

    return lab.explore({"A": like, "B": like}, both_count)


def bill(lab: Lab, social: Any) -> Any:
    """A count of 1,000 likes beside one read of the tally."""
    with social.batch_writer() as batch:
        for number in range(1_000):
            item = {"PK": POST, "SK": f"LIKE#USER#{number:04}", "likedAt": 1750636801 + 10 * number}
            batch.put_item(Item=item)
    with lab.meter(per="page view") as charged:
        social.query(
            Select="COUNT",
            KeyConditionExpression="PK = :post AND begins_with(SK, :like)",
            ExpressionAttributeValues={":post": POST, ":like": "LIKE#"},
        )
        social.get_item(Key={"PK": POST, "SK": "META"})
    return charged


if __name__ == "__main__":
    main()
