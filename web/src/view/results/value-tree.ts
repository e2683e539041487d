/**
 * `<value-tree>`: values as a collapsible tree, their BSON types at the end of each line.
 *
 * Invariants: drawn as a flat list of the lines that are open, so a big value costs what is visible of it; at most
 * `step` parts of a value are drawn before the reader asks for more; one line is in the tab order, arrows do the rest.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { familyOf, isNested, partsOf, preview, typeOf, wordLeaf } from "../../state/values.ts";
import { properties } from "../cssom.ts";
import { PageElement } from "../element.ts";
import { shared } from "../styles/shared.ts";

/** Parts drawn at first, and added by each "show more". */
const step = 50;

interface Line {
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  readonly value: unknown;
  readonly open: boolean | null;
  readonly position: number;
  readonly siblings: number;
  /** How many parts of `path`'s value are not drawn; such a line only offers them. */
  readonly hidden: number;
}

@customElement("value-tree")
export class ValueTree extends PageElement {
  /** What is drawn: the documents of a batch, or one value. */
  @property({ attribute: false }) values: readonly unknown[] = [];
  /** `documents` numbers them; `value` opens the only one. */
  @property() shape: "documents" | "value" = "documents";
  @state() private openPaths: ReadonlySet<string> = new Set();
  @state() private shown: ReadonlyMap<string, number> = new Map();
  @state() private current = "0";

  static override styles = [
    shared,
    css`
      :host { font: 400 var(--code)/1.6 var(--mono); }
      .line { display: flex; align-items: baseline; gap: 0.35rem; padding: 0 0.5rem; border-radius: 3px; cursor: default; min-width: 0; }
      .line[aria-expanded] { cursor: pointer; }
      .line:hover { background: var(--paper-2); }
      .line:focus-visible { outline-offset: -2px; }
      .twist { flex: none; width: 1rem; align-self: center; color: var(--ink-3); }
      .twist svg { width: 0.8rem; height: 0.8rem; transition: transform 0.12s; }
      [aria-expanded="true"] .twist svg { transform: rotate(90deg); }
      .content { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; padding-left: 1.2em; text-indent: -1.2em; }
      .content.nest { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .name { color: var(--ink); }
      .name::after { content: ": "; color: var(--ink-3); }
      .index { font: italic 400 1rem/1 var(--serif); font-variant-numeric: oldstyle-nums; color: var(--ink-3); margin-right: 0.5rem; }
      .type { margin-left: auto; padding-left: 0.75rem; flex: none; font-size: 0.75rem; color: var(--ink-3); }
      .more { color: var(--rubric); text-decoration: underline; text-underline-offset: 2px; }
      .document + .document { border-top: 1px solid var(--rule); border-radius: 0; }
      @media (pointer: coarse) { .line { padding-block: 0.15rem; } .line[aria-expanded] { min-height: 2.25rem; align-items: center; } }
      @media (max-width: 480px) { .type { padding-left: 0.4rem; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("values")) return;
    const before = changed.get("values") as readonly unknown[] | undefined;
    // More of the same batch keeps what is open; another value starts with its first part open.
    if (before !== undefined && before.length > 0 && before[0] === this.values[0]) {
      const shownBefore = this.shown.get("") ?? step;
      if (shownBefore >= before.length) this.shown = new Map(this.shown).set("", this.values.length);
      return;
    }
    this.openPaths = new Set(this.values.length > 0 ? ["0"] : []);
    this.shown = new Map();
    this.current = "0";
  }

  private lines(): readonly Line[] {
    const lines: Line[] = [];
    this.addParts(lines, "", -1, this.values.map((value, index) => [String(index), value] as const));
    return lines;
  }

  private addParts(lines: Line[], path: string, depth: number, parts: readonly (readonly [string, unknown])[]): void {
    const shown = this.shown.get(path) ?? step;
    for (const [index, [name, value]] of parts.slice(0, shown).entries()) {
      const at = path === "" ? String(index) : `${path}.${index}`;
      const inner = isNested(value) ? partsOf(value) : [];
      const open = inner.length > 0 ? this.openPaths.has(at) : null;
      lines.push({ path: at, depth: depth + 1, name, value, open, position: index + 1, siblings: parts.length, hidden: 0 });
      if (open === true) this.addParts(lines, at, depth + 1, inner);
    }
    if (parts.length > shown) {
      lines.push({ path: `${path}+`, depth: depth + 1, name: path, value: null, open: null, position: shown + 1, siblings: parts.length, hidden: parts.length - shown });
    }
  }

  protected override render(): TemplateResult {
    const lines = this.lines();
    const current = lines.some((line) => line.path === this.current) ? this.current : lines[0]?.path;
    return html`<div role="tree" aria-label=${this.m["tree.label"]} @keydown=${(event: KeyboardEvent) => this.onKey(event, lines)}>
      ${repeat(
        lines,
        (line) => line.path,
        (line) => (line.hidden > 0 ? this.moreLine(line, current) : this.partLine(line, current)),
      )}
    </div>`;
  }

  private partLine(line: Line, current: string | undefined): TemplateResult {
    const type = typeOf(line.value);
    const isDocument = line.depth === 0 && this.shape === "documents";
    const nested = isNested(line.value);
    return html`<div
      role="treeitem"
      class="line ${isDocument ? "document" : ""}"
      data-path=${line.path}
      aria-level=${line.depth + 1}
      aria-setsize=${line.siblings}
      aria-posinset=${line.position}
      aria-expanded=${line.open === null ? nothing : String(line.open)}
      tabindex=${line.path === current ? 0 : -1}
      ${properties({ "padding-inline-start": `${0.25 + line.depth * 1.1}rem` })}
      @click=${() => this.onClick(line)}
    >
      <span class="twist" aria-hidden="true">${line.open === null ? nothing : html`<svg viewBox="0 0 16 16"><path d="M6 3.5 10.5 8 6 12.5" /></svg>`}</span>
      <span class="content ${nested ? "nest" : ""}">${this.label(line, isDocument)}${line.open === true ? nothing : html`<span class=${familyOf(type)}>${nested ? preview(line.value, 160) : wordLeaf(line.value)}</span>`}</span>
      <span class="type">${line.open === true ? this.count(line.value, type) : isDocument && type === "Object" ? nothing : type}</span>
    </div>`;
  }

  private label(line: Line, isDocument: boolean): TemplateResult | typeof nothing {
    if (line.depth === 0) return isDocument ? html`<span class="index">${line.position}</span>` : nothing;
    return html`<span class="name">${line.name}</span>`;
  }

  private count(value: unknown, type: string): string {
    const count = isNested(value) ? partsOf(value).length : 0;
    const key = type === "Array" ? "tree.elements" : "tree.fields";
    return this.m[key](this.words.number(count), count === 1);
  }

  private moreLine(line: Line, current: string | undefined): TemplateResult {
    return html`<div
      role="treeitem"
      class="line"
      data-path=${line.path}
      aria-level=${line.depth + 1}
      aria-setsize=${line.siblings}
      aria-posinset=${line.position}
      tabindex=${line.path === current ? 0 : -1}
      ${properties({ "padding-inline-start": `${1.6 + line.depth * 1.1}rem`, cursor: "pointer" })}
      @click=${() => this.showMore(line)}
    >
      <span class="more">${this.m["leaf.showMore"](this.words.number(Math.min(step, line.hidden)))}</span>
    </div>`;
  }

  private onClick(line: Line): void {
    // A reader selecting text to copy does not mean to fold it.
    if (String(getSelection()) !== "") return;
    this.current = line.path;
    if (line.open !== null) this.toggle(line.path, !line.open);
  }

  private toggle(path: string, open: boolean): void {
    const paths = new Set(this.openPaths);
    if (open) paths.add(path);
    else paths.delete(path);
    this.openPaths = paths;
  }

  private showMore(line: Line): void {
    this.shown = new Map(this.shown).set(line.name, (this.shown.get(line.name) ?? step) + step);
  }

  private onKey(event: KeyboardEvent, lines: readonly Line[]): void {
    const at = lines.findIndex((line) => line.path === this.current);
    const line = lines[at];
    if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    let next: Line | undefined;
    switch (event.key) {
      case "ArrowDown":
        next = lines[at + 1];
        break;
      case "ArrowUp":
        next = lines[at - 1];
        break;
      case "Home":
        next = lines[0];
        break;
      case "End":
        next = lines[lines.length - 1];
        break;
      case "ArrowRight":
        if (line.open === false) this.toggle(line.path, true);
        else if (line.open === true) next = lines[at + 1];
        break;
      case "ArrowLeft":
        if (line.open === true) this.toggle(line.path, false);
        else next = lines.slice(0, at).findLast((other) => other.depth < line.depth);
        break;
      case "Enter":
      case " ":
        if (line.hidden > 0) this.showMore(line);
        else if (line.open !== null) this.toggle(line.path, !line.open);
        break;
      default:
        return;
    }
    event.preventDefault();
    if (next !== undefined) void this.focusLine(next.path);
  }

  private async focusLine(path: string): Promise<void> {
    this.current = path;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus();
  }
}
