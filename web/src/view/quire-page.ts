/**
 * `<quire-page>`: the playground. A spread of two pages, script and results, sewn in the middle, with the data beside them;
 * on a narrow screen one of the three at a time.
 *
 * Invariants: the only view that follows the store; it hands the state down as properties, and colours, language and
 * storage follow the state from here.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { lessons } from "../lessons/lessons.ts";
import type { AppState, Pane } from "../state/model.ts";
import { wordFailure } from "../state/controller.ts";
import { commandKey, PageElement } from "./element.ts";
import type { PageEditor } from "./editor/page-editor.ts";
import { closeIcon, databaseIcon, penIcon, bookIcon, runIcon, stopIcon } from "./icons.ts";
import { pageStyles } from "./page-styles.ts";
import { shared } from "./styles/shared.ts";
import "./editor/page-editor.ts";
import "./page-header.ts";
import "./page-splitter.ts";
import "./results/page-results.ts";
import "./sidebar/page-sidebar.ts";

const spread = matchMedia("(min-width: 1100px)");
const panes: readonly (readonly [Pane, () => TemplateResult])[] = [
  ["script", penIcon],
  ["results", bookIcon],
  ["data", databaseIcon],
];

@customElement("quire-page")
export class QuirePage extends PageElement {
  @state() private app!: AppState;
  @state() private selected = false;
  @state() private wide = spread.matches;
  /** Counts up while a script runs, to draw its elapsed time. */
  @state() private tick = 0;
  /** The dialogs' code is fetched when the first one is opened. */
  @state() private dialogs = false;
  @query("page-editor") private editor!: PageEditor;
  @query(".panes") private area!: HTMLElement;
  #timer: ReturnType<typeof setInterval> | null = null;
  #stop: (() => void) | null = null;

  static override styles = [shared, pageStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    this.app = this.store.state;
    this.#stop = this.store.subscribe((app) => {
      this.app = app;
      if (app.dialog !== "none" && !this.dialogs) void import("./page-dialogs.ts").then(() => (this.dialogs = true));
      this.followRunning(app.running !== null);
    });
    spread.addEventListener("change", this.onSpread);
    addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    spread.removeEventListener("change", this.onSpread);
    removeEventListener("keydown", this.onKey);
    this.followRunning(false);
  }

  private readonly onSpread = (): void => {
    this.wide = spread.matches;
  };

  /** Run and Stop work from anywhere on the page; the editor handles its own. */
  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || this.app.dialog !== "none") return;
    if (event.key === "Enter") this.editor.runNow();
    else if (event.key === "." && this.app.running !== null) this.controller.stop();
    else return;
    event.preventDefault();
  };

  private followRunning(running: boolean): void {
    if (running && this.#timer === null) this.#timer = setInterval(() => (this.tick += 1), 100);
    else if (!running && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  protected override updated(): void {
    this.area.style.setProperty("--split", String(this.app.settings.split));
  }

  insert(text: string): void {
    this.store.dispatch({ kind: "pane-chosen", pane: "script" });
    void this.updateComplete.then(() => this.editor.insert(text));
  }

  goTo(line: number, column: number): void {
    this.store.dispatch({ kind: "pane-chosen", pane: "script" });
    void this.updateComplete.then(() => this.editor.goTo(line, column));
  }

  private async openLesson(id: string): Promise<void> {
    const lesson = lessons.find((one) => one.id === id);
    if (lesson === undefined) return;
    try {
      this.store.dispatch({ kind: "lesson-opened", lesson: id, script: await lesson.load() });
      this.editor.focus();
    } catch (error) {
      this.controller.notice("bad", wordFailure(error));
    }
  }

  protected override render(): TemplateResult {
    const { m, app } = this;
    return html`<page-header .app=${app} @skip=${() => this.editor.focus()} @lesson=${(event: CustomEvent<string>) => void this.openLesson(event.detail)}></page-header>
      <main data-pane=${app.pane}>
        <section class="data" aria-label=${m["pane.data"]}><page-sidebar .app=${app} @lesson=${(event: CustomEvent<string>) => void this.openLesson(event.detail)}></page-sidebar></section>
        <div class="panes">
          <section class="script" aria-label=${m["pane.script"]}>
            ${this.scriptHead()}
            <page-editor .app=${app} @selected=${(event: CustomEvent<boolean>) => (this.selected = event.detail)}></page-editor>
          </section>
          <page-splitter .split=${app.settings.split} .orientation=${this.wide ? "vertical" : "horizontal"}></page-splitter>
          <section class="results" aria-label=${m["pane.results"]}><page-results .app=${app}></page-results></section>
        </div>
      </main>
      <nav aria-label=${m["panes"]}>
        ${panes.map(
          ([pane, icon]) => html`<button aria-current=${pane === app.pane ? "page" : nothing} @click=${() => this.store.dispatch({ kind: "pane-chosen", pane })}>${icon()}<span>${m[`pane.${pane}`]}</span></button>`,
        )}
      </nav>
      ${this.notice()}
      ${this.dialogs ? html`<page-dialogs .app=${app}></page-dialogs>` : nothing}`;
  }

  private scriptHead(): TemplateResult {
    const { m, app } = this;
    const running = app.running;
    return html`<div class="head ${running === null ? "" : "busy"}">
      <h2 class="running-head">${m["script.title"]}</h2>
      <span class="on" title=${m["script.database"](app.database)}>${m["script.on"]} <code>${app.database}</code></span>
      ${this.clock()}
      <span class="space"></span>
      ${running === null ? nothing : html`<span class="progress">${this.progress()}</span>`}
      ${running === null
        ? html`<button class="button main run" title=${m["script.runHint"](commandKey)} ?disabled=${app.script.trim() === ""} @click=${() => this.editor.runNow()}>${runIcon()}${this.selected ? m["script.runSelection"] : m["script.run"]}</button>`
        : html`<button class="button stop" @click=${() => this.controller.stop()}>${stopIcon()}${running.stopping ? m["script.stopping"] : m["script.stop"]}</button>`}
    </div>`;
  }

  /** How far the virtual clock was moved, once it was: otherwise a lesson's expiry would look like a loss. */
  private clock(): TemplateResult | typeof nothing {
    const { m, words, app } = this;
    const offset = app.deployment?.clockOffsetMillis ?? 0;
    if (offset === 0) return nothing;
    const moved = m[offset > 0 ? "storage.clock.ahead" : "storage.clock.behind"](words.duration(Math.abs(offset)));
    return html`<span class="moved" title=${m["script.clock.hint"]}>${m["script.clock"](moved)}</span>`;
  }

  private progress(): string {
    const { m, words, app } = this;
    if (app.running === null) return "";
    if (app.engine.kind === "opening") return m["run.opening"];
    const elapsed = words.duration(Math.max(0, Math.floor((Date.now() - app.running.startedAt) / 100) * 100));
    return `${elapsed} · ${m["run.commands"](words.number(app.running.commands), app.running.commands === 1)}`;
  }

  private notice(): TemplateResult {
    const { m, app } = this;
    const notice = app.notice;
    return html`<div class="notices" role="status" aria-label=${m["page.notice"]}>
      ${notice === null
        ? nothing
        : html`<p class="notice ${notice.tone}"><span>${notice.text}</span><button class="quiet icon" aria-label=${m["dismiss"]} title=${m["dismiss"]} @click=${() => this.store.dispatch({ kind: "notice-dismissed", id: notice.id })}>${closeIcon()}</button></p>`}
    </div>`;
  }
}
