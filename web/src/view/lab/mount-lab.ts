/**
 * Puts a lab into a shadow root: defines the elements it is drawn by, and gives its session a client and its files.
 *
 * Invariant: an element that another copy of this code defined is used as it is.
 */
import { css } from "lit";
import { openClient } from "../../client/reading.ts";
import { fetchFile } from "../../lessons/files.ts";
import { LabSession } from "../../lessons/lab/session.ts";
import { LabScript } from "./lab-script.ts";
import { LabView } from "./lab-view.ts";

const ELEMENTS = { "quire-lab-view": LabView, "quire-lab-script": LabScript };

const hostStyles = css`
  :host { display: block; }
  :host([hidden]) { display: none; }
  :host([theme="light" i]) { color-scheme: light; }
  :host([theme="dark" i]) { color-scheme: dark; }
`;

/** Draws the lab whose `lab.json` has this address; `page` is the one that links lead to, or empty. */
export function mountLab(root: ShadowRoot, address: string, page: string): LabSession {
  for (const [name, element] of Object.entries(ELEMENTS))
    if (customElements.get(name) === undefined) customElements.define(name, element);
  const session = new LabSession({
    read: (name) => fetchFile(name, name === "lab.json" ? address : new URL(name, address)),
    openHost: () => openClient({ deployment: { name: "lab", storage: "memory" } }),
  });
  const { styleSheet } = hostStyles;
  if (styleSheet !== undefined) root.adoptedStyleSheets = [styleSheet];
  const view = document.createElement("quire-lab-view") as LabView;
  view.session = session;
  view.page = page;
  root.replaceChildren(view);
  return session;
}
