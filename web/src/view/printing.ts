/**
 * Printing: the script and its results as they are open, in ink on white, without the page around them.
 *
 * Invariants: fetched once the page is at rest; on the screen nothing changes. The editor draws only the lines in
 * sight, so the whole script is put in its place while the browser prints; long views draw their rows by themselves
 * (`results/window.ts`). Styles are adopted sheets.
 */
import { css } from "lit";
import { wordsOf } from "../messages/messages.ts";
import type { Store } from "../state/store.ts";
import { openTabOf } from "../state/tabs.ts";
import { tabTitle } from "./tab-title.ts";

const ofDocument = css`
  .on-paper { display: none; }
  @media print {
    @page { margin: 15mm 14mm; }
    :root, :root[data-theme] {
      color-scheme: light !important;
      --ground: #fff; --paper: #fff; --paper-2: #fff; --paper-3: #fff; --rubric-wash: #fff; --good-wash: #fff;
      --warn-wash: #fff; --ink: #000; --ink-2: #222; --ink-3: #444; --rule: #bbb; --rule-strong: #777;
      --shade: transparent; --shade-2: transparent; --line: transparent;
      --type-string: #111; --type-number: #111; --type-date: #111; --type-id: #333; --type-word: #111;
      --type-binary: #111; --code: 0.75rem; --small: 0.8125rem; --text: 0.9375rem;
    }
    html, body { height: auto; background: #fff; }
    .on-paper { display: block; margin-bottom: 1.25rem; }
    .on-paper h1 { margin: 0; font: 500 1.35rem/1.2 var(--serif); }
    .on-paper p { margin: 0.15rem 0 0.6rem; font: italic 400 var(--small) var(--serif); color: var(--ink-2); }
    .on-paper:lang(zh) p { font-style: normal; }
    .on-paper ol {
      margin: 0; padding: 0.5rem 0 0.5rem 3rem; border: solid var(--rule-strong); border-width: 1px 0;
      font: 400 var(--code)/1.5 var(--mono);
    }
    .on-paper li { white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.5em; }
    .on-paper li::marker { color: var(--ink-3); }
  }
`;

const ofPage = css`
  @media print {
    :host { display: block; height: auto; overflow: visible; }
    :host > :not(.stage), .stage > :not(main) { display: none !important; }
    .stage { display: block; height: auto; }
    main, main.described { display: block; padding: 0; }
    main > :not(.panes), .panes > :not(.results) { display: none !important; }
    .panes { display: block; height: auto; margin: 0; box-shadow: none; border: 0; border-radius: 0; }
    .panes > .results { display: block; height: auto; }
    page-results { height: auto; }
  }
`;

const ofResults = css`
  @media print {
    :host, :host([filled]) { display: block; container-type: inline-size; }
    .head, .empty { display: none; }
    .leaves { overflow: visible; padding: 0; scrollbar-gutter: auto; }
  }
`;

function adopt(root: Document | ShadowRoot, style: typeof ofPage): void {
  if (style.styleSheet !== undefined) root.adoptedStyleSheets = [...root.adoptedStyleSheets, style.styleSheet];
}

/** The whole script with its title and numbered lines, for the paper. */
function paper(store: Store): HTMLElement {
  const { state } = store;
  const { m } = wordsOf(state.settings.language);
  const tab = openTabOf(state);
  const make = (name: string, text = ""): HTMLElement => {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  };
  const section = make("section");
  section.className = "on-paper";
  const list = make("ol");
  for (const line of tab.script.replace(/\n+$/, "").split("\n")) list.append(make("li", line));
  const when = new Date().toLocaleString(state.settings.language);
  section.append(make("h1", tabTitle(m, tab)), make("p", `Quire · ${m["script.on"]} ${state.database} · ${when}`));
  if (tab.script.trim() !== "") section.append(list);
  return section;
}

/** Makes the page ready to be printed. */
export function preparePrinting(store: Store, page: HTMLElement): void {
  adopt(document, ofDocument);
  if (page.shadowRoot !== null) adopt(page.shadowRoot, ofPage);
  const results = page.shadowRoot?.querySelector("page-results")?.shadowRoot;
  if (results != null) adopt(results, ofResults);
  let put: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    put?.remove();
    put = paper(store);
    document.body.prepend(put);
  });
  addEventListener("afterprint", () => {
    put?.remove();
    put = null;
  });
}
