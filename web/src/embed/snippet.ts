/**
 * `<quire-snippet>`: an ordinary code block that runs.
 *
 * Invariants: without scripts the reader sees the author's block; with them the same text stands there, and nothing
 * more is fetched before the first focus or Run. The parts fetched then (engine, editor, drawing of results) come by
 * itself, so that none waits for another. All snippets of a page share the one engine of their topology (`backend.ts`).
 */
import { encodeShared } from "../share/encode.ts";
import { cssLength, DEFAULT_DATABASE, ISOLATE, oneOf, snippetViews, type SnippetView } from "./attributes.ts";
import type { Backend, Finished, Phase, Running } from "./backend.ts";
import { make, QuireElement } from "./base.ts";
import type { Editor } from "./editor.ts";
import {
  engineFailure,
  failureOf,
  tell,
  type QuireErrorDetail,
  type QuireResultDetail,
  type RunEnd,
} from "./events.ts";
import { highlighted } from "./highlight.ts";
import { load, type Loaded } from "./loaded.ts";
import { checkOrder, dependenciesOf, OrderError, setupOf, stepsBefore } from "./order.ts";
import { nothingShown, SnippetOutput, type Shown, type ShownError } from "./output.ts";
import { caretIn, supportsPlainText } from "./plain-editing.ts";
import type * as ResultsModule from "./results.ts";
import { outputIn, isFallback } from "./source.ts";
import { COPY_ICON, icon, labelled, OPEN_ICON, RESET_ICON, RUN_ICON, STOP_ICON } from "./styles.ts";
import { languageAt, tableFor } from "./words.ts";

let isolated = 0;

export class QuireSnippet extends QuireElement {
  static readonly observedAttributes = [
    "db",
    "setup",
    "depends-on",
    "editable",
    "autorun",
    "check",
    "insight",
    "xray",
    "view",
    "topology",
    "height",
    "theme",
    "lang",
    "playground",
  ];

  readonly #frame = make("div", "frame");
  readonly #code = make("div", "code");
  readonly #pre = make("pre", "");
  readonly #keys = make("span", "unseen");
  readonly #runButton = make("button", "run");
  readonly #state = make("span", "state");
  readonly #copyButton = make("button", "quiet icon");
  readonly #resetButton = make("button", "quiet icon");
  readonly #link = make("a", "quiet icon");
  readonly #output: SnippetOutput;
  readonly #own = `isolated_${++isolated}`;
  #source = "";
  #original = "";
  #dirty = false;
  #editor: Editor | null = null;
  #mounting = false;
  #run: Promise<boolean> | null = null;
  #running: Running | null = null;
  #stopped = false;
  #ready = false;
  /** The generation of the database in which the script last came to its end; 0 for never. */
  #ranIn = 0;
  #visible: IntersectionObserver | null = null;
  #pointer: { readonly x: number; readonly y: number } | null = null;
  #links = 0;

  constructor() {
    super();
    this.#keys.id = "keys";
    this.#state.setAttribute("role", "status");
    this.#output = this.#makeOutput();
    this.#runButton.type = this.#copyButton.type = this.#resetButton.type = "button";
    this.#link.target = "_blank";
    this.#link.rel = "noopener";
    this.#code.append(this.#pre, this.#keys);
    const bar = make("div", "bar", this.#runButton, this.#state, this.#copyButton, this.#resetButton, this.#link);
    this.#frame.append(this.#code, bar, this.#output.element);
    this.root.append(this.#frame);

    this.#runButton.addEventListener("click", () => (this.#run === null ? void this.run() : this.stop()));
    this.#copyButton.addEventListener("click", () => void this.#copy());
    this.#resetButton.addEventListener("click", () => void this.reset());
    this.#frame.addEventListener("focusin", () => this.#warm());
    this.#code.addEventListener("pointerdown", (event) => {
      this.#pointer = { x: event.clientX, y: event.clientY };
      // Below or beside the text, too, a press means the code.
      if (event.target === this.#code && this.editable) setTimeout(() => (this.#editor ?? this.#pre).focus());
    });
    this.#pre.addEventListener("focus", () => void this.#edit());
    this.#pre.addEventListener("input", () => this.#edited(this.#pre.textContent ?? ""));
    this.#pre.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.run();
      else if (event.key === "Escape") this.#runButton.focus();
      else return;
      event.preventDefault();
    });
  }

  #makeOutput(): SnippetOutput {
    const snippet = this;
    return new SnippetOutput({
      get words() {
        return snippet.words;
      },
      get view() {
        return snippet.view;
      },
      set view(view) {
        snippet.view = view;
      },
      get topology() {
        return snippet.topology;
      },
      get insight() {
        return snippet.xray ? "plan" : snippet.insight ? "line" : "none";
      },
      get language() {
        return tableFor(languageAt(snippet));
      },
      get script() {
        return snippet.editable ? snippet.source : null;
      },
      get beginsAnew() {
        return snippet.db === ISOLATE;
      },
      mend: (script, runs) => void this.#mend(script, runs),
      onMore: (shown, milliseconds) => this.#sayResult(shown, milliseconds),
      onMoreFailed: (shown, error) => this.#fail(engineFailure(error), null, shown),
      goTo: (line, column) => void this.#goTo(line, column),
    });
  }

  /** @internal */
  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#dirty) this.#adopt(this.written);
    this.#dress();
    this.#watch();
  }

  /** @internal */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#visible?.disconnect();
    // A framework may only be moving the element.
    setTimeout(() => {
      if (this.isConnected) return;
      this.stop();
      this.#unmount();
    });
  }

  /** @internal */
  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    super.connectedCallback();
    this.#dress();
    if (name === "view" || name === "insight" || name === "xray") this.#output.draw();
    if (name === "editable") this.#unmount();
    // Its data is in the other engine.
    if (name === "topology") this.#ranIn = 0;
    if (name === "autorun") this.#watch();
  }

  /** @internal */
  protected override contentChanged(): void {
    if (!this.#dirty && this.#run === null) {
      this.#adopt(this.written);
      this.#dress();
    }
  }

  /** The database: a name which snippets of the page share, or `isolate`. */
  get db(): string {
    return this.getAttribute("db")?.trim() || DEFAULT_DATABASE;
  }
  set db(name: string) {
    this.setAttribute("db", name);
  }

  /** A script to run before the first run in a database: an id, a selector or the script itself. */
  get setup(): string {
    return this.getAttribute("setup")?.trim() ?? "";
  }
  set setup(setup: string) {
    this.setAttribute("setup", setup);
  }

  /** Ids of snippets that run before this one, in order. */
  get dependsOn(): string {
    return this.getAttribute("depends-on") ?? "";
  }
  set dependsOn(ids: string) {
    this.setAttribute("depends-on", ids);
  }

  /** Whether readers may change the script. */
  get editable(): boolean {
    return this.flag("editable", true);
  }
  set editable(on: boolean) {
    this.setFlag("editable", on, true);
  }

  /** Whether the output of a run is compared with the `<output>` inside. */
  get check(): boolean {
    return this.flag("check");
  }
  set check(on: boolean) {
    this.setFlag("check", on);
  }

  /** Whether the output says how a result was answered: by which index, and how many keys and documents were read. */
  get insight(): boolean {
    return this.flag("insight", true);
  }
  set insight(on: boolean) {
    this.setFlag("insight", on, true);
  }

  /** Whether the plan of a result is open at once. */
  get xray(): boolean {
    return this.flag("xray");
  }
  set xray(on: boolean) {
    this.setFlag("xray", on);
  }

  /** Whether the script runs by itself once it comes into view. */
  get autorun(): boolean {
    return this.flag("autorun");
  }
  set autorun(on: boolean) {
    this.setFlag("autorun", on);
  }

  /** How the result is drawn. */
  get view(): SnippetView {
    return oneOf(this.getAttribute("view"), snippetViews);
  }
  set view(view: SnippetView) {
    this.setAttribute("view", view);
  }

  /** The script as it stands, with the reader's changes. */
  get source(): string {
    return this.#source;
  }
  set source(source: string) {
    this.#edited(source);
    if (this.#editor === null) this.#paint();
    else this.#editor.setText(source);
  }

  /** Whether the script is running, or waiting for its turn. */
  get running(): boolean {
    return this.#run !== null;
  }

  /**
   * Runs the script, and before it the snippets it needs. Resolves, and never rejects, with whether it came to its end.
   */
  run(): Promise<boolean> {
    if (this.#run === null) {
      this.#run = this.#runOnce()
        .finally(() => {
          this.#run = null;
          this.#running = null;
          this.#dress();
        })
        .then((end) => {
          // Told when the next run can begin: a listener may ask for one.
          if (end !== null) tell(this, end[0], end[1]);
          return end?.[0] === "result";
        });
      this.#dress();
    }
    return this.#run;
  }

  /** Stops the script; the second time at once, and with the data of all snippets. */
  stop(): void {
    this.#stopped = true;
    this.#running?.stop();
  }

  /** Brings back the author's script and output, and starts the database afresh. */
  async reset(): Promise<void> {
    this.stop();
    await this.#run;
    const ran = this.#ranIn > 0 || this.#output.shown !== null;
    this.#dirty = false;
    this.#adopt(this.written);
    this.#output.show(null);
    this.#say("");
    this.#dress();
    if (!ran || this.db === ISOLATE) return;
    try {
      await (await this.#backend()).reset(this.db);
    } catch (error) {
      this.#fail(engineFailure(error), null);
    }
  }

  /** Takes a text as the author's. */
  #adopt(text: string): void {
    this.#original = this.#source = text;
    if (this.#editor === null) this.#paint();
    else this.#editor.setText(text);
    this.#editor?.mark(null);
    this.#output.fallback.assign(...[...this.children].filter(isFallback));
  }

  /** Shows the script, with the line marked where it failed. */
  #paint(fault: number | null = null): void {
    this.#pre.replaceChildren(highlighted(this.#source, fault));
  }

  /** Marks where the script failed; null takes the mark away. */
  #mark(error: Pick<ShownError, "line" | "column" | "text"> | null): void {
    const line = error?.line ?? null;
    if (this.#editor === null) this.#paint(line);
    else
      this.#editor.mark(
        error === null || line === null ? null : { line, column: error.column ?? 1, message: error.text },
      );
  }

  /** Leads to a place of the script: the editor's cursor goes there, where there is one. */
  async #goTo(line: number, column: number): Promise<void> {
    await this.#edit();
    if (this.#editor !== null) return this.#editor.goTo(line, column);
    this.#pre.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }

  /** Takes a mended script. Its button goes with the output, so that the focus goes on to Run. */
  async #mend(script: string, runs: boolean): Promise<void> {
    this.source = script;
    this.#runButton.focus();
    if (!runs) return;
    await this.#run;
    await this.run();
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.source);
      this.#say(this.words.copied);
    } catch {
      this.#say(this.words.notCopied, true);
    }
  }

  #edited(text: string): void {
    this.#source = text;
    this.#dirty = text !== this.#original;
    this.#dress();
  }

  /** Brings everything but code and output in line with the state. */
  #dress(): void {
    const { words, editable } = this;
    const busy = this.#run !== null;
    const pre = this.#pre;
    this.#keys.textContent = words.keys;
    if (editable) pre.contentEditable = supportsPlainText() ? "plaintext-only" : "true";
    else pre.removeAttribute("contenteditable");
    for (const [name, value] of Object.entries(this.#labels)) {
      if (editable) pre.setAttribute(name, value);
      else pre.removeAttribute(name);
    }
    pre.spellcheck = false;
    const height = cssLength(this.height);
    this.#frame.style.setProperty("height", height);
    this.#frame.classList.toggle("tall", height !== "");
    this.#code.tabIndex = height !== "" && !editable ? 0 : -1;
    if (this.#code.tabIndex < 0) this.#code.removeAttribute("tabindex");

    this.#runButton.classList.toggle("busy", busy);
    this.#runButton.replaceChildren(icon(busy ? STOP_ICON : RUN_ICON), busy ? words.stop : words.run);
    labelled(this.#copyButton, COPY_ICON, words.copy, words.copyHint);
    labelled(this.#resetButton, RESET_ICON, words.reset, `${words.reset}: ${words.resetHint}`);
    this.#resetButton.hidden = !this.#dirty && this.#output.shown === null;
    labelled(this.#link, OPEN_ICON, words.open, words.openHint);
    if (this.#output.shown === null) this.#output.show(null);
    if (!busy && this.#output.shown === null && this.#state.textContent === "")
      this.#say(this.#output.fallback.assignedNodes().length > 0 ? words.example : "");
    void this.#updateLink();
  }

  get #labels(): Readonly<Record<string, string>> {
    return {
      role: "textbox",
      // Browsers focus what is edited anyway; programs that check pages want to read it.
      tabindex: "0",
      "aria-multiline": "true",
      "aria-label": this.words.script,
      "aria-describedby": "keys",
    };
  }

  /** The link holds the script, the scripts that run before it, and the name of its database. */
  async #updateLink(): Promise<void> {
    const { playground } = this;
    this.#link.hidden = playground === null;
    if (playground === null) return;
    const link = ++this.#links;
    const before: string[] = this.db === ISOLATE ? [] : [`use ${this.db}`];
    try {
      checkOrder(this, this.words);
      before.push(...stepsBefore(this, this.words).map(({ source }) => source));
    } catch {
      // The script alone, then: Run tells the mistake in the rest.
    }
    const fragment = await encodeShared({ scripts: [{ name: "", source: [...before, this.source].join("\n\n") }] });
    if (link === this.#links) this.#link.href = this.presented(playground).href + fragment;
  }

  #say(text: string, bad = false): void {
    this.#state.textContent = text;
    this.#state.classList.toggle("bad", bad);
  }

  #watch(): void {
    this.#visible?.disconnect();
    this.#visible = null;
    if (!this.autorun || this.#output.shown !== null) return;
    this.#visible = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#visible?.disconnect();
      void this.run();
    });
    this.#visible.observe(this);
  }

  /** Fetches the engine because the reader is here. */
  #warm(): void {
    this.#open().catch(() => undefined);
  }

  async #open(): Promise<Loaded> {
    const started = performance.now();
    const loaded = await load();
    await loaded[0].backendOf(this.topology).open();
    if (!this.#ready) {
      this.#ready = true;
      tell(this, "ready", { milliseconds: Math.round(performance.now() - started) });
    }
    return loaded;
  }

  /**
   * Puts the editor into the place of the block; until it is there, and where it cannot be had, the block itself is
   * edited.
   */
  async #edit(): Promise<void> {
    if (this.#editor !== null || this.#mounting || !this.editable) return;
    this.#mounting = true;
    try {
      const { mountEditor } = await import("./editor.ts");
      if (!this.isConnected || !this.editable) return;
      const focused = this.root.activeElement === this.#pre;
      const caret = focused ? (caretIn(this.#pre, this.root) ?? this.#pointer ?? 0) : 0;
      const pre = this.#pre;
      this.#editor = mountEditor({
        parent: this.#code,
        root: this.root,
        text: this.#source,
        caret,
        attributes: this.#labels,
        onChange: (text) => this.#edited(text),
        onRun: () => void this.run(),
        onLeave: () => this.#runButton.focus(),
      });
      if (focused) this.#editor.focus();
      pre.remove();
    } catch {
      // The block stays as it is, and can be edited.
    } finally {
      this.#mounting = false;
    }
  }

  #unmount(): void {
    if (this.#editor === null) return;
    this.#editor.destroy();
    this.#editor = null;
    this.#code.prepend(this.#pre);
    this.#paint();
  }

  /** Runs another snippet that this one needs, unless its effect is there still. */
  async #ensure(): Promise<boolean> {
    const backend = await this.#backend();
    if (this.#run === null && this.#ranIn === backend.generation(this.#database)) return true;
    return this.run();
  }

  async #backend(): Promise<Backend> {
    const [{ backendOf }] = await load();
    return backendOf(this.topology);
  }

  get #database(): string {
    return this.db === ISOLATE ? this.#own : this.db;
  }

  /** Runs the script once; gives the event of its end, null where a listener did not let it begin. */
  async #runOnce(): Promise<RunEnd | null> {
    const { source, words } = this;
    const own = this.db === ISOLATE;
    if (!tell(this, "run", { source, database: this.#database })) return null;
    this.#stopped = false;
    this.#visible?.disconnect();
    this.#mark(null);
    try {
      this.#say(this.#ready ? words.waiting : words.loading);
      checkOrder(this, words);
      if (this.check && outputIn(this) === null) throw new OrderError("script", words.noExpected);
      const [{ backendOf }, results] = await this.#open();
      const backend = backendOf(this.topology);
      if (!own) {
        for (const dependency of dependenciesOf(this, words)) {
          this.#say(words.waiting);
          if (!(await (dependency as QuireSnippet).#ensure()))
            throw new OrderError("depends-on", words.dependencyFailed(dependency.id));
        }
      }
      const setup = own ? null : setupOf(this, words);
      const steps = own
        ? stepsBefore(this, words)
        : setup === null
          ? []
          : [{ stage: "setup" as const, name: "", source: setup }];
      const shown = nothingShown();
      const onPhase = (phase: Phase): void =>
        this.#say({ waiting: words.waiting, setting: words.setting, running: words.running }[phase]);
      this.#running = backend.run(
        { database: this.#database, isolated: own, steps, source, observed: this.insight || this.xray },
        onPhase,
        ({ printed, leftOut }) => {
          Object.assign(shown, { printed, leftOut });
          this.#output.show(shown);
        },
      );
      if (this.#stopped) this.#running.stop();
      const finished = await this.#running.finished;
      if (finished.outcome.error === null) this.#ranIn = backend.generation(this.#database);
      return await this.#finish(finished, shown, results, source);
    } catch (error) {
      const isOrder = error instanceof OrderError;
      const detail = isOrder ? failureOf(error.stage, error) : engineFailure(error);
      this.#showFailure(detail, isOrder ? null : words.notLoaded);
      return ["error", detail];
    }
  }

  /** Shows how a run ended; gives the event that tells it. */
  async #finish(finished: Finished, shown: Shown, results: typeof ResultsModule, source: string): Promise<RunEnd> {
    const { stage, name, outcome, lost } = finished;
    const { words } = this;
    const milliseconds = Math.max(1, Math.round(outcome.statistics.elapsedMillis));
    const { error } = outcome;
    if (stage === "script") Object.assign(shown, { printed: outcome.printed, leftOut: outcome.leftOut });
    if (error?.name === "ScriptStopped") {
      this.#output.show(shown);
      this.#say(lost ? words.lost : words.stopped);
      return ["error", { stage, ...error, matches: null }];
    }
    const expected = this.#expected(source);
    const { text, told, ...read } = await results.readFinished(finished, expected, tableFor(languageAt(this)));
    Object.assign(shown, read);
    const { matches } = shown;
    if (error !== null && told !== null) {
      if (stage === "script") this.#mark(told);
      const before = {
        script: null,
        setup: words.setupFailed,
        "depends-on": words.dependencyFailed(name),
        engine: null,
      };
      const detail: QuireErrorDetail = { stage, ...error, matches };
      this.#showFailure(detail, before[stage], shown, { stage, ...told });
      return ["error", detail];
    }
    this.#output.show(shown);
    this.#sayResult(shown, milliseconds);
    const detail: QuireResultDetail = {
      source,
      text,
      printed: [...shown.printed],
      documents: shown.value?.isCursor === true ? shown.value.values : null,
      more: (shown.value?.batch ?? null) !== null,
      milliseconds,
      matches,
    };
    return ["result", detail];
  }

  /** The author's output, where that of a run of this script is to be compared with it. */
  #expected(source: string): string | null {
    return this.check && source === this.#original ? outputIn(this) : null;
  }

  #sayResult({ value, printed, matches }: Shown, milliseconds: number): void {
    const { words } = this;
    const count = value?.values?.length ?? 0;
    const what =
      value?.isCursor === true
        ? count === 0
          ? words.empty
          : words.documents(count, value.batch !== null)
        : (value?.text ?? "") === "" && printed.length === 0
          ? words.nothing
          : null;
    this.#say([what, words.took(milliseconds), this.#comparison(matches)].filter((part) => part !== null).join(" · "));
  }

  /** How the output compares with the author's, where it was compared. */
  #comparison(matches: boolean | null): string | null {
    return matches === null ? null : this.words[matches ? "matches" : "differs"];
  }

  /** Shows an error as the reader is told it; its event tells it as the shell words it. */
  #showFailure(error: QuireErrorDetail, before: string | null, shown = nothingShown(), told: ShownError = error): void {
    const { words } = this;
    shown.failure = { error: told, before };
    this.#output.show(shown);
    const compared = this.#comparison(shown.matches);
    this.#say(compared === null ? words.failed : `${words.failed} · ${compared}`, shown.matches !== true);
  }

  #fail(error: QuireErrorDetail, before: string | null, shown?: Shown): void {
    this.#showFailure(error, before, shown);
    tell(this, "error", error);
  }
}
