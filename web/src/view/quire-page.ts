/**
 * `<quire-page>`: the playground. A spread of two pages, script and results, sewn in the middle, with the data beside
 * them; on a narrow screen one of the three at a time.
 *
 * Invariants: the only view that follows the store; it hands the state down as properties, and colours, language and
 * storage follow the state from here.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { lessons } from "../lessons/lessons.ts";
import { isBegun } from "../state/open-client.ts";
import type { Action } from "../state/actions.ts";
import type { AppState, Desk, Going, Notice, Pane } from "../state/model.ts";
import { narrowestAside, clampAside, clampSplit, widestAside } from "../state/settings.ts";
import { openTabOf } from "../state/tabs.ts";
import { dropped, placeUnder, type DropPlace } from "./dropped.ts";
import { commandKey, PageElement, type PageAction } from "./element.ts";
import type { TextChange } from "../state/pipeline/edit.ts";
import type { CursorPlace, PageEditor } from "./editor/page-editor.ts";
import { digitsOf, plainScript, plainStyles } from "./editor/plain-script.ts";
import type { SyntaxFault } from "../messages/syntax/fault.ts";
import { properties } from "../look/cssom.ts";
import {
  bookIcon,
  cardsIcon,
  closeIcon,
  databaseIcon,
  formatIcon,
  historyIcon,
  penIcon,
  runIcon,
  shareIcon,
  stopIcon,
  timelineIcon,
} from "../look/icons.ts";
import { idle } from "./idle.ts";
import { tellMissed } from "./missed-part.ts";
import { pageStyles } from "./page-styles.ts";
import { shared } from "../look/shared.ts";
import { TypeAhead } from "./type-ahead.ts";
import type { PageHeader } from "./page-header.ts";
import "./page-header.ts";
import "./page-splitter.ts";
import type { PageTabs } from "./page-tabs.ts";
import "./page-tabs.ts";
import { tabTitle } from "./tab-title.ts";
import "./results/page-results.ts";
import "./sidebar/page-sidebar.ts";

/** The share of the page that is above the Watch panel at first. */
const WATCH_SPLIT = 0.6;
/** How long a running script holds the editor's code back, in milliseconds. */
const editorPatience = 1000;
const spread = matchMedia("(min-width: 1100px)");
/** Widths at which the data is no column of its own: it is one of three panes, or lies over the two others. */
const narrow = matchMedia("(max-width: 759px)");
/** Sizes at which a result needs more than half of the height, until the reader moves the border. */
const short = matchMedia("(max-width: 1099px) and (max-height: 640px)");
const panes: readonly (readonly [Pane, () => TemplateResult])[] = [
  ["script", penIcon],
  ["results", bookIcon],
  ["data", databaseIcon],
];

@customElement("quire-page")
export class QuirePage extends PageElement {
  @state() private app!: AppState;
  @state() private selected = false;
  /** The cursor is in a pipeline, which can be edited as cards. */
  @state() private inPipeline = false;
  /** The cards' code is fetched when they are first opened. */
  @state() private cards = false;
  /** The mistake in the syntax as it stands. */
  @state() private fault: SyntaxFault | null = null;
  @state() private wide = spread.matches;
  /** Counts up while a script runs, to draw its elapsed time. */
  @state() private tick = 0;
  /** The dialogs' code is fetched when the first one is opened. */
  @state() private dialogs = false;
  @state() private dataDialogs = false;
  /** The banner's code is fetched when there is something to tell. */
  @state() private banner = false;
  /** The schema's code is fetched when its pane is first opened. */
  @state() private schemas = false;
  /** The Watch panel's code is fetched when it is first opened. */
  @state() private watches = false;
  /** The share of the page above the Watch panel. */
  @state() private watchSplit = WATCH_SPLIT;
  /** The database and collection that a dragged file would go to; null while none is dragged. */
  @state() private dropPlace: DropPlace | null = null;
  @query("page-editor") private editor!: PageEditor;
  /** The editor's code has come; before, the script is a text field. */
  @state() private edited = false;
  #editing: Promise<PageEditor> | null = null;
  @query("page-sidebar") private sidebar!: HTMLElement;
  /** The code of the desk's panels is fetched when the first one is opened. */
  @state() private desk = false;
  @query("page-tabs") private tabs!: PageTabs;
  @query("main") private area!: HTMLElement;
  @query(".stage") private stage!: HTMLElement;
  #timer: ReturnType<typeof setInterval> | null = null;
  #stop: (() => void) | null = null;
  #going: Going | null = null;
  readonly #typed = new TypeAhead(() => this.store.dispatch({ kind: "desk-opened", desk: { kind: "none" } }));

  static override styles = [shared, pageStyles, plainStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    this.app = this.store.state;
    this.#stop = this.store.subscribe((app, before) => {
      this.app = app;
      this.fetchParts(app, before);
      this.followMoments(app);
      this.followRunning(app.running !== null);
    });
    spread.addEventListener("change", this.onSpread);
    for (const size of [narrow, short]) size.addEventListener("change", this.onSpread);
    addEventListener("keydown", this.onKey);
    addEventListener("dragover", this.onDrag);
    addEventListener("dragleave", this.onDragLeave);
    addEventListener("drop", this.onDrop);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    spread.removeEventListener("change", this.onSpread);
    for (const size of [narrow, short]) size.removeEventListener("change", this.onSpread);
    removeEventListener("keydown", this.onKey);
    removeEventListener("dragover", this.onDrag);
    removeEventListener("dragleave", this.onDragLeave);
    removeEventListener("drop", this.onDrop);
    this.followRunning(false);
  }

  private readonly onSpread = (): void => {
    this.wide = spread.matches;
    this.requestUpdate();
  };

  /** Run and Stop work from anywhere on the page; the editor handles its own. */
  private readonly onKey = (event: KeyboardEvent): void => {
    if (
      event.defaultPrevented ||
      this.app.dialog !== "none" ||
      this.app.dataDialog !== null ||
      this.app.desk.kind !== "none"
    )
      return;
    const action = actionOf(event);
    // Where text is typed, these keys are the text's own.
    if ((action === "undo" || action === "redo") && isTyping(event)) return;
    if (action === null || (action === "stop" && this.app.running === null)) return;
    event.preventDefault();
    this.act(action);
  };

  /** Fetches the parts that a change of the state asks for. One that failed is asked for by the next such change. */
  private fetchParts(app: AppState, before: AppState): void {
    const { dialog, dataDialog, deployment, schema, watch, pipeline } = app;
    if (dialog !== "none" && dialog !== before.dialog && !this.dialogs)
      this.fetchPart(
        import("./page-dialogs.ts").then(() => (this.dialogs = true)),
        { kind: "dialog-opened", dialog: "none" },
        { kind: "dialog-opened", dialog },
      );
    if (dataDialog !== null && dataDialog !== before.dataDialog && !this.dataDialogs)
      this.fetchPart(
        import("./data/data-dialogs.ts").then(() => (this.dataDialogs = true)),
        { kind: "data-dialog-changed", dialog: null },
        { kind: "data-dialog-changed", dialog: dataDialog },
      );
    if (deployment !== before.deployment && !this.banner && deployment !== null)
      if (deployment.mode !== "indexeddb" || deployment.lost !== null)
        void import("./page-banner.ts").then(() => (this.banner = true));
    if (schema !== null && schema !== before.schema && !this.schemas)
      this.fetchPart(
        import("./data/schema-view.ts").then(() => (this.schemas = true)),
        { kind: "schema-shown", schema: null },
        { kind: "schema-shown", schema },
      );
    if (watch !== null && watch !== before.watch && !this.watches)
      this.fetchPart(
        import("./watch/watch-panel.ts").then(() => (this.watches = true)),
        { kind: "watch-shown", watch: null },
        { kind: "watch-shown", watch },
      );
    if (app.desk.kind !== "none" && !this.desk) this.openDesk(app.desk);
    if (pipeline !== null && pipeline !== before.pipeline && !this.cards)
      this.fetchPart(
        import("./pipeline/pipeline-panel.ts").then(() => (this.cards = true)),
        { kind: "pipeline-opened", at: null },
        { kind: "pipeline-opened", at: pipeline.at },
      );
  }

  /** Where the part cannot be had, `close` is done, as it would stay open and empty, and `again` is offered. */
  private fetchPart(part: Promise<unknown>, close: Action, again: Action): void {
    part.catch((failure: unknown) => {
      this.store.dispatch(close);
      tellMissed(this.services, failure, again);
    });
  }

  /** Undoes or redoes the asked changes, and tells why a change cannot be undone; the code for that is fetched then. */
  private followMoments({ going, unkept }: AppState): void {
    if (going !== this.#going) {
      this.#going = going;
      if (going !== null)
        this.fetchPart(
          import("./timeline/going.ts").then(({ go }) => void go(this.services, going)),
          { kind: "going-over", moments: [], undone: false },
          { kind: "going-asked", going },
        );
    }
    if (unkept === null) return;
    this.store.dispatch({ kind: "moments-unkept", reason: null });
    void import("./timeline/going.ts").then(({ tellUnkept }) => tellUnkept(this.services, unkept));
  }

  /** Fetches the panels of the desk; text typed meanwhile is for them. */
  private openDesk(desk: Desk): void {
    if (!this.#typed.start()) return;
    const fetched = import("./desk/page-desk.ts").then(
      () => (this.desk = true),
      (failure: unknown) => {
        this.#typed.take();
        throw failure;
      },
    );
    this.fetchPart(fetched, { kind: "desk-opened", desk: { kind: "none" } }, { kind: "desk-opened", desk });
  }

  /** The editor; the first call fetches its code. */
  private editing(): Promise<PageEditor> {
    this.#editing ??= import("./editor/page-editor.ts").then(async () => {
      await this.updateComplete;
      await this.editor.updateComplete;
      this.edited = true;
      return this.editor;
    });
    this.#editing.catch(() => {
      // Without it the script can be typed and run; it is asked for again by whatever needs it.
      this.#editing = null;
    });
    return this.#editing;
  }

  /**
   * The editor comes after the first paint. A script that is run at once goes before it for a while, and so does an
   * engine that was begun early.
   */
  private editSoon(): void {
    const { store } = this;
    const begun = isBegun();
    const free = ({ running, engine }: AppState): boolean => running === null && (!begun || engine.kind !== "opening");
    const go = (): void => idle(() => void this.editing().catch(() => undefined));
    idle(() => {
      if (free(store.state)) return go();
      const proceed = (): void => {
        clearTimeout(timer);
        stop();
        go();
      };
      const stop = store.subscribe((app) => {
        if (free(app)) proceed();
      });
      const timer = setTimeout(proceed, editorPatience);
    });
  }

  /** Runs the script, or its selected part. */
  private run(): void {
    if (this.edited) this.editor.runNow();
    else void this.controller.run(openTabOf(this.app).script);
  }

  /** Does something with the editor once it is there. */
  private withEditor(then: (editor: PageEditor) => unknown): void {
    if (this.edited) then(this.editor);
    else void this.editing().then(then, (failure: unknown) => tellMissed(this.services, failure));
  }

  act(action: PageAction, tab = this.app.openTab): void {
    const { store, m } = this;
    switch (action) {
      case "run":
        return this.run();
      case "stop":
        return this.controller.stop();
      case "tab.new":
        store.dispatch({ kind: "tab-added", script: "", name: null });
        return this.focusScript();
      case "tab.close": {
        const closed = this.app.tabs.find(({ id }) => id === tab);
        store.dispatch({ kind: "tab-closed", tab });
        if (closed !== undefined && closed.script.trim() !== "")
          this.controller.notice("plain", m["tabs.closed"](tabTitle(m, closed)), {
            label: m["undo"],
            action: { kind: "tab-reopened" },
          });
        return;
      }
      case "tab.name":
        return void this.tabs.name(tab);
      case "tab.reopen":
        return store.dispatch({ kind: "tab-reopened" });
      case "format":
        return this.withEditor((editor) => editor.format());
      case "search":
        return this.withEditor((editor) => editor.search(true));
      case "complete":
        return this.withEditor((editor) => editor.startCompletion());
      case "focus":
        return this.focusScript();
      case "aside":
        if (narrow.matches) return this.app.pane === "data" ? this.leaveData() : this.services.goPane("data");
        return store.dispatch({ kind: "settings-changed", change: { asideOpen: !this.app.settings.asideOpen } });
      case "pipeline":
        // On a narrow screen the cards may be open and out of sight.
        if (this.app.pipeline !== null && narrow.matches && this.app.pane !== "results") return this.goPane("results");
        return this.app.pipeline === null
          ? this.withEditor((editor) => store.dispatch({ kind: "pipeline-opened", at: editor.place.from }))
          : store.dispatch({ kind: "pipeline-opened", at: null });
      case "undo":
      case "redo":
        // While a script runs, an undo could go back to the middle of it, which the reader cannot see.
        if (this.app.running === null)
          store.dispatch({ kind: "going-asked", going: { to: action, of: null, sure: [] } });
        return;
      case "copy":
        return this.withEditor((editor) =>
          store.dispatch({ kind: "desk-opened", desk: { kind: action, ...editor.place } }),
        );
      default:
        store.dispatch({ kind: "desk-opened", desk: { kind: action } });
    }
  }

  private focusScript(): void {
    this.store.dispatch({ kind: "pane-chosen", pane: "script" });
    this.withEditor((editor) => void this.updateComplete.then(() => editor.focus()));
  }

  /** A file can be dropped anywhere: its dialog then asks where to import it. While it is dragged the page says so. */
  private readonly onDrag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    if (this.app.dialog !== "none" || this.app.dataDialog !== null) return;
    if (this.app.deployment?.mode === "read-only") event.dataTransfer.dropEffect = "none";
    const place = placeUnder(event, this.app.database);
    if (this.dropPlace?.database !== place.database || this.dropPlace.collection !== place.collection)
      this.dropPlace = place;
  };

  private readonly onDragLeave = (event: DragEvent): void => {
    if (event.relatedTarget === null) this.dropPlace = null;
  };

  private readonly onDrop = (event: DragEvent): void => {
    const held = dropped(event.dataTransfer);
    const place = placeUnder(event, this.app.database);
    this.dropPlace = null;
    if (held.files.length === 0) return;
    event.preventDefault();
    if (this.app.dialog !== "none" || this.app.dataDialog !== null || this.app.deployment?.mode === "read-only") return;
    void import("./data/given-files.ts").then(async ({ droppedFiles }) =>
      this.store.dispatch({
        kind: "data-dialog-changed",
        dialog: { kind: "import", ...place, files: await droppedFiles(held) },
      }),
    );
  };

  private followRunning(running: boolean): void {
    if (running && this.#timer === null) this.#timer = setInterval(() => (this.tick += 1), 100);
    else if (!running && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  protected override firstUpdated(): void {
    this.editSoon();
  }

  protected override updated(): void {
    const { aside, asideOpen, fontSize } = this.app.settings;
    this.area.style.setProperty("--split", String(this.split));
    this.area.style.setProperty("--script-size", `${fontSize / 16}rem`);
    this.area.style.setProperty("--aside", asideOpen ? `${aside}px` : "0px");
    if (!this.edited) this.editor.style.setProperty("--digits", String(digitsOf(openTabOf(this.app).script)));
  }

  insert(text: string): void {
    this.store.dispatch({ kind: "pane-chosen", pane: "script" });
    this.withEditor((editor) => void this.updateComplete.then(() => editor.insert(text)));
  }

  goTo(tab: number, line: number, column: number): void {
    this.store.dispatch({ kind: "tab-opened", tab });
    this.store.dispatch({ kind: "pane-chosen", pane: "script" });
    this.withEditor((editor) => void this.updateComplete.then(() => editor.goTo(line, column)));
  }

  /** The share of the script. */
  private get split(): number {
    const { split } = this.app.settings;
    return short.matches && split === 0.5 ? 0.4 : split;
  }

  /** Puts the data away where it lies over script and results. */
  private leaveData(): void {
    if (narrow.matches && this.app.pane === "data") this.store.dispatch({ kind: "pane-chosen", pane: "script" });
  }

  private onDataKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented || !narrow.matches) return;
    this.leaveData();
    this.renderRoot.querySelector<PageHeader>("page-header")?.focus();
  }

  goPane(pane: Pane): void {
    this.store.dispatch({ kind: "pane-chosen", pane });
    if (pane === "data" && !this.app.settings.asideOpen && !narrow.matches) this.act("aside");
    const section = this.renderRoot.querySelector<HTMLElement>(`section.${pane}`);
    void this.updateComplete.then(() => section?.focus());
  }

  async openLesson(id: string): Promise<void> {
    const lesson = lessons.find((one) => one.id === id);
    if (lesson === undefined) return;
    try {
      const script = await lesson.load();
      const { language } = this.app.settings;
      // Its comments are English in the file.
      const inWords = language === "en" ? null : await import("../messages/examples.ts").catch(() => null);
      this.store.dispatch({
        kind: "lesson-opened",
        lesson: id,
        script: inWords === null ? script : inWords.exampleIn(language, lesson.id, script),
      });
      this.withEditor((editor) => editor.focus());
    } catch (failure) {
      tellMissed(this.services, failure);
    }
  }

  protected override render(): TemplateResult {
    const { m, app } = this;
    const { settings } = app;
    const beside = settings.layout === "auto" ? this.wide : settings.layout === "beside";
    return html`<page-header .app=${app} .dataOpen=${narrow.matches ? app.pane === "data" : settings.asideOpen}
      @skip=${() => this.withEditor((editor) => editor.focus())}
      @lesson=${(event: CustomEvent<string>) => void this.openLesson(event.detail)}></page-header>
      ${this.banner ? html`<page-banner .app=${app}></page-banner>` : nothing}
      <div class="stage"><main data-pane=${app.pane}
        class="${settings.asideOpen ? "" : "closed"} ${app.schema === null ? "" : "described"}">
        <section class="data" tabindex="-1" aria-label=${m["pane.data"]}
          @keydown=${(event: KeyboardEvent) => this.onDataKey(event)}><page-sidebar .app=${app}
          .dropPlace=${this.dropPlace}
          @lesson=${(event: CustomEvent<string>) => void this.openLesson(event.detail)}></page-sidebar></section>
        <page-splitter
          edge
          .value=${settings.asideOpen ? settings.aside : 0}
          .min=${narrowestAside}
          .max=${widestAside}
          .label=${m["data.splitter"]}
          @moved=${(event: CustomEvent<number | null>) =>
            this.store.dispatch({
              kind: "settings-changed",
              change: { aside: clampAside(event.detail ?? 264), asideOpen: true },
            })}
          @folded=${() => this.act("aside")}
        ></page-splitter>
        ${
          app.schema === null || !this.schemas
            ? nothing
            : html`<aside class="schema" aria-label=${m["pane.schema"]}><schema-view .app=${app}
                .database=${app.schema.database} .collection=${app.schema.collection}
                @focus-lost=${() => this.sidebar.focus()}></schema-view></aside>`
        }
        <div class="panes ${beside ? "" : "stacked"} ${app.filled === null ? "" : "filled"}"
          @pointerdown=${() => this.leaveData()}>
          <section class="script" aria-label=${m["pane.script"]}>
            ${this.scriptHead()}
            <page-editor role="tabpanel" aria-label=${tabTitle(m, openTabOf(app))} .app=${app}
              @placed=${({ detail }: CustomEvent<CursorPlace>) => {
                this.selected = detail.selected;
                this.inPipeline = detail.inPipeline;
              }}
              @checked=${(event: CustomEvent<SyntaxFault | null>) => (this.fault = event.detail)}
              @focusin=${() => void this.editing().catch(() => undefined)}
              >${
                this.edited
                  ? nothing
                  : plainScript(openTabOf(app).script, m["pane.script"], (script) =>
                      this.store.dispatch({ kind: "script-edited", script }),
                    )
              }</page-editor
            >
            ${this.foot()}
          </section>
          <page-splitter
            .value=${this.split}
            .label=${m[beside ? "script.splitter" : "script.splitterRows"]}
            .orientation=${beside ? "vertical" : "horizontal"}
            @moved=${(event: CustomEvent<number | null>) =>
              this.store.dispatch({ kind: "settings-changed", change: { split: clampSplit(event.detail ?? 0.5) } })}
          ></page-splitter>
          <section class="results" tabindex="-1" aria-label=${m["pane.results"]}><page-results
            .app=${app} ?hidden=${app.pipeline !== null && this.cards}></page-results>${
              app.pipeline !== null && this.cards
                ? html`<pipeline-panel .app=${app} @changed=${({ detail }: CustomEvent<TextChange>) =>
                    this.withEditor((editor) => editor.change(detail))}></pipeline-panel>`
                : nothing
            }</section>
        </div>
      </main>${this.watch()}</div>
      <nav aria-label=${m["panes"]}>
        ${panes.map(
          ([pane, icon]) =>
            html`<button aria-current=${pane === app.pane ? "page" : nothing}
              @click=${() => this.store.dispatch({ kind: "pane-chosen", pane })}>${icon()}<span>${
                m[`pane.${pane}`]
              }</span></button>`,
        )}
      </nav>
      ${this.notice()} ${this.dropTarget()}
      ${this.dialogs ? html`<page-dialogs .app=${app}></page-dialogs>` : nothing} ${
        this.desk ? html`<page-desk .app=${app} .typed=${() => this.#typed.take()}></page-desk>` : nothing
      }
      ${
        this.dataDialogs
          ? html`<data-dialogs .app=${app} @focus-lost=${() => this.sidebar.focus()}></data-dialogs>`
          : nothing
      }`;
  }

  /** The Watch panel, below all else, so that script and results are in sight with it. */
  private watch(): TemplateResult | typeof nothing {
    const { m, app } = this;
    if (app.watch === null || !this.watches) return nothing;
    return html`<aside class="watch" aria-label=${m["pane.watch"]}
        ${properties({ "--rest": `${100 * (1 - this.watchSplit)}%` })}><page-splitter orientation="horizontal"
        .area=${this.stage} .value=${this.watchSplit} .label=${m["watch.splitter"]}
        @moved=${(event: CustomEvent<number | null>) => (this.watchSplit = event.detail ?? WATCH_SPLIT)}
      ></page-splitter><watch-panel .app=${app} @focus-lost=${() => this.sidebar.focus()}></watch-panel></aside>`;
  }

  /** Lies over the page while a file is dragged; it lets the pointer through to the collection that it names. */
  private dropTarget(): TemplateResult | typeof nothing {
    const { m, app, dropPlace } = this;
    if (dropPlace === null) return nothing;
    const { database, collection } = dropPlace;
    const text =
      app.deployment?.mode === "read-only"
        ? m["drop.readOnly"]
        : collection === ""
          ? m["drop.new"](database)
          : m["drop.into"](`${database}.${collection}`);
    return html`<div class="drop-target"><p role="status">${text}</p></div>`;
  }

  private scriptHead(): TemplateResult {
    const { m, app } = this;
    const running = app.running;
    return html`<div class="head ${running === null ? "" : "busy"}">
      <h2 class="unseen">${m["pane.script"]}</h2>
      <page-tabs .app=${app}></page-tabs>
      ${running === null ? nothing : html`<span class="progress">${this.progress()}</span>`}
      ${
        running === null
          ? html`<button class="button main run" title=${m["script.runHint"](commandKey)}
            ?disabled=${openTabOf(app).script.trim() === ""}
            @click=${() => this.run()}>${runIcon()}${
              this.selected ? m["script.runSelection"] : m["script.run"]
            }</button>`
          : html`<button class="button stop"
            @click=${() => this.controller.stop()}>${stopIcon()}${
              running.stopping ? m["script.stopping"] : m["script.stop"]
            }</button>`
      }
    </div>`;
  }

  /** The line below the script: the database that it starts on, and further actions. */
  private foot(): TemplateResult {
    const { m, app } = this;
    const tool = (action: PageAction, icon: () => TemplateResult, name: string): TemplateResult =>
      html`<button class="quiet" data-tool=${action} title=${name}
        ?disabled=${action !== "history" && action !== "timeline" && openTabOf(app).script.trim() === ""}
        @click=${() => this.act(action)}>${icon()}<span>${name}</span></button>`;
    return html`<div class="foot">
      <span class="on" title=${m["script.database"](app.database)}>${m["script.on"]} <code>${app.database}</code></span>
      ${this.clock()}
      <span class="space" role="status">${this.faultLine()}</span>
      ${this.inPipeline || app.pipeline !== null ? tool("pipeline", cardsIcon, m["tool.pipeline"]) : nothing}
      ${tool("format", formatIcon, m["tool.format"])} ${tool("share", shareIcon, m["tool.share"])}
      ${tool("history", historyIcon, m["tool.history"])} ${tool("timeline", timelineIcon, m["tool.timeline"])}
    </div>`;
  }

  /** The place of wrong syntax in words, for readers who cannot see or point at the line under it. */
  private faultLine(): TemplateResult | typeof nothing {
    const { m, words, fault } = this;
    if (fault === null) return nothing;
    const text = m["script.fault"](words.number(fault.line), words.number(fault.column), fault.message);
    return html`<button class="quiet fault" title=${text} aria-keyshortcuts="F8"
      @click=${() => this.withEditor((editor) => editor.goToFault())}><span>${text}</span></button>`;
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

  private take({ id, offer }: Notice): void {
    this.store.dispatch({ kind: "notice-dismissed", id });
    if (offer !== undefined) this.store.dispatch(offer.action);
  }

  private notice(): TemplateResult {
    const { m, app } = this;
    const notice = app.notice;
    return html`<div class="notices" role="status" aria-label=${m["page.notice"]}>
      ${
        notice === null
          ? nothing
          : html`<p class="notice ${notice.tone} ${notice.reload === true ? "missing" : ""}"><span>${
              notice.text
            }</span>${
              notice.offer === undefined
                ? nothing
                : html`<button class="quiet offer" @click=${() => this.take(notice)}>${notice.offer.label}</button>`
            }${
              notice.reload === true
                ? html`<button class="quiet offer" @click=${() => location.reload()}>${m["update.take"]}</button>`
                : nothing
            }<button class="quiet icon" aria-label=${m["dismiss"]} title=${m["dismiss"]}
              @click=${() => this.store.dispatch({ kind: "notice-dismissed", id: notice.id })}
            >${closeIcon()}</button></p>`
      }
    </div>`;
  }
}

/** Whether a key is pressed where text is typed. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=range])"))
  );
}

/** The actions of keys with Alt and Shift, by the key's code. */
const shifted: Readonly<Record<string, PageAction>> = { KeyF: "format", KeyP: "pipeline", KeyT: "timeline" };

/** The action of a key anywhere on the page; null for other keys. The editor handles its own. */
function actionOf(event: KeyboardEvent): PageAction | null {
  const key = event.key.toLowerCase();
  if (!event.ctrlKey && !event.metaKey) return event.altKey && event.shiftKey ? (shifted[event.code] ?? null) : null;
  if (event.altKey) return null;
  if (event.shiftKey) return key === "p" ? "palette" : key === "z" ? "redo" : null;
  const actions: Readonly<Record<string, PageAction>> = {
    enter: "run",
    ".": "stop",
    k: "palette",
    b: "aside",
    z: "undo",
    y: "redo",
  };
  return actions[key] ?? null;
}
