/**
 * `quiredb/lab`: defines `<quire-lab>`, which shows a lab: designs of the same data side by side, measured
 * (docs/labs.md).
 *
 * Invariant: the import itself is small; the code that draws and runs labs is fetched by the first element in the page.
 */
import { PLAYGROUND } from "../embed/place.ts";
import { QuireLab } from "../view/lab/quire-lab.ts";
import { defineElements } from "./element-define.ts";

export { QuireLab };

declare global {
  interface HTMLElementTagNameMap {
    "quire-lab": QuireLab;
  }
}

if (PLAYGROUND !== null) QuireLab.sharedPage = new URL("lab.html", PLAYGROUND).href;
defineElements({ "quire-lab": QuireLab });
