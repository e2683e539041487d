/**
 * `<quire-snippet>`: an ordinary code block that runs.
 *
 * Invariants: without scripts the reader sees the author's block; with them the same text stands there, and nothing
 * more is fetched before the first focus or Run. The parts fetched then (engine, editor, drawing of results) come by
 * itself, so that none waits for another. All snippets of a page share the one engine of `backend.ts`.
 */
import type { CursorBatch } from "../client/client.ts";
import { encodeShared } from "../share/encode.ts";
import { cssLength, DEFAULT_DATABASE, ISOLATE, oneOf, snippetViews, type SnippetView } from "./attributes.ts";
import type * as BackendModule from "./backend.ts";
import type { Finished, Phase, Running } from "./backend.ts";
import { make, QuireElement } from "./base.ts";
import type { Editor } from "./editor.ts";
import { tell, type QuireErrorDetail, type QuireResultDetail } from "./events.ts";
import { highlighted } from "./highlight.ts";
import { checkOrder, dependenciesOf, OrderError, setupOf, stepsBefore } from "./order.ts";
import type * as ResultsModule from "./results.ts";
import type { ResultValue } from "./results.ts";
import { isFallback } from "./source.ts";
import { icon, OPEN_ICON, RESET_ICON, RUN_ICON, STOP_ICON } from "./styles.ts";

type Loaded = readonly [typeof BackendModule, typeof ResultsModule];

let loading: Promise<Loaded> | null = null;

/** Fetches what runs scripts and draws results, once a page. */
function load(): Promise<Loaded> {
  if (loading === null) {
    loading = Promise.all([import("./backend.ts"), import("./results.ts")]);
    loading.catch(() => (loading = null));
  }
  return loading;
}

let isolated = 0;

/** What the output shows of the last run. */
interface Shown {
  readonly printed: readonly string[];
  readonly leftOut: number;
  value: ResultValue | null;
  failure: { readonly error: QuireErrorDetail; readonly before: string | null } | null;
}

export class QuireSnippet extends QuireElement {
  static readonly observedAttributes = [
    "db",
    "setup",
    "depends-on",
    "editable",
    "autorun",
    "view",
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
  readonly #resetButton = make("button", "quiet icon");
  readonly #link = make("a", "quiet icon");
  readonly #output = make("div", "output");
  readonly #fallback = make("slot", "");
  readonly #own = `isolated_${++isolated}`;
  #source = "";
  #original = "";
  #dirty = false;
  #editor: Editor | null = null;
  #mounting = false;
  #shown: Shown | null = null;
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
    this.#output.setAttribute("role", "group");
    this.#runButton.type = this.#resetButton.type = "button";
    this.#link.target = "_blank";
    this.#link.rel = "noopener";
    this.#code.append(this.#pre, this.#keys);
    const bar = make("div", "bar", this.#runButton, this.#state, this.#resetButton, this.#link);
    this.#frame.append(this.#code, bar, this.#output);
    this.root.append(this.#frame);

    this.#runButton.addEventListener("click", () => (this.#run === null ? void this.run() : this.stop()));
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
    if (name === "view") this.#draw();
    if (name === "editable") this.#unmount();
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
      this.#run = this.#runOnce().finally(() => {
        this.#run = null;
        this.#running = null;
        this.#dress();
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
    const ran = this.#ranIn > 0 || this.#shown !== null;
    this.#dirty = false;
    this.#adopt(this.written);
    this.#show(null);
    this.#say("");
    this.#dress();
    if (!ran || this.db === ISOLATE) return;
    try {
      const [{ backend }] = await load();
      await backend.reset(this.db);
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
    this.#fallback.assign(...[...this.children].filter(isFallback));
  }

  #paint(): void {
    this.#pre.replaceChildren(highlighted(this.#source));
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
    const label = (element: HTMLElement, path: string, text: string, hint: string): void => {
      const span = document.createElement("span");
      span.textContent = text;
      element.replaceChildren(icon(path), span);
      element.title = hint;
      element.setAttribute("aria-label", hint);
    };
    label(this.#resetButton, RESET_ICON, words.reset, `${words.reset}: ${words.resetHint}`);
    this.#resetButton.hidden = !this.#dirty && this.#shown === null;
    label(this.#link, OPEN_ICON, words.open, words.openHint);
    this.#output.setAttribute("aria-label", words.result);
    if (this.#shown === null) this.#show(null);
    if (!busy && this.#shown === null && this.#state.textContent === "")
      this.#say(this.#fallback.assignedNodes().length > 0 ? words.example : "");
    void this.#updateLink();
  }

  get #labels(): Readonly<Record<string, string>> {
    return { role: "textbox", "aria-multiline": "true", "aria-label": this.words.script, "aria-describedby": "keys" };
  }

  /** The link holds the script, what comes before it, and the name of its database. */
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
    if (link === this.#links) this.#link.href = playground + fragment;
  }

  #say(text: string, bad = false): void {
    this.#state.textContent = text;
    this.#state.classList.toggle("bad", bad);
  }

  #watch(): void {
    this.#visible?.disconnect();
    this.#visible = null;
    if (!this.autorun || this.#shown !== null) return;
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
    await loaded[0].backend.open();
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
      const caret = focused ? (this.#caret() ?? this.#pointer ?? 0) : 0;
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

  /** Where the cursor is in the block, where the browser tells of selections in shadow roots. */
  #caret(): number | null {
    const selection =
      (this.root as ShadowRoot & { getSelection?(): Selection | null }).getSelection?.() ?? getSelection();
    const node = selection?.focusNode ?? null;
    if (selection === null || node === null || !this.#pre.contains(node)) return null;
    const range = document.createRange();
    range.setStart(this.#pre, 0);
    range.setEnd(node, selection.focusOffset);
    return range.toString().length;
  }

  /** Runs another snippet that this one needs, unless its effect is there still. */
  async #ensure(): Promise<boolean> {
    const [{ backend }] = await load();
    if (this.#run === null && this.#ranIn === backend.generation(this.#database)) return true;
    return this.run();
  }

  get #database(): string {
    return this.db === ISOLATE ? this.#own : this.db;
  }

  async #runOnce(): Promise<boolean> {
    const { source, words } = this;
    const own = this.db === ISOLATE;
    if (!tell(this, "run", { source, database: this.#database })) return false;
    this.#stopped = false;
    this.#visible?.disconnect();
    this.#editor?.mark(null);
    try {
      this.#say(this.#ready ? words.waiting : words.loading);
      checkOrder(this, words);
      const [{ backend }, results] = await this.#open();
      if (!own) {
        for (const dependency of dependenciesOf(this, words)) {
          this.#say(words.waiting);
          if (!(await dependency.#ensure())) throw new OrderError("depends-on", words.dependencyFailed(dependency.id));
        }
      }
      const setup = own ? null : setupOf(this, words);
      const steps = own
        ? stepsBefore(this, words)
        : setup === null
          ? []
          : [{ stage: "setup" as const, name: "", source: setup }];
      const shown: Shown = { printed: [], leftOut: 0, value: null, failure: null };
      const hear = (phase: Phase): void =>
        this.#say({ waiting: words.waiting, setting: words.setting, running: words.running }[phase]);
      this.#running = backend.run(
        { database: this.#database, isolated: own, steps, source },
        hear,
        ({ printed, leftOut }) => {
          Object.assign(shown, { printed, leftOut });
          this.#show(shown);
        },
      );
      if (this.#stopped) this.#running.stop();
      const finished = await this.#running.finished;
      this.#finish(finished, shown, results, source);
      if (finished.outcome.error !== null) return false;
      this.#ranIn = backend.generation(this.#database);
      return true;
    } catch (error) {
      this.#fail(
        error instanceof OrderError ? failureOf(error.stage, error) : engineFailure(error),
        error instanceof OrderError ? null : words.notLoaded,
      );
      return false;
    }
  }

  #finish({ stage, name, outcome, lost }: Finished, shown: Shown, results: typeof ResultsModule, source: string): void {
    const { words } = this;
    const milliseconds = Math.max(1, Math.round(outcome.statistics.elapsedMillis));
    const { error } = outcome;
    if (stage === "script") Object.assign(shown, { printed: outcome.printed, leftOut: outcome.leftOut });
    if (error === null) {
      shown.value = results.readValue(outcome.value);
      this.#show(shown);
      this.#sayResult(shown.value, shown.printed, milliseconds);
      const { values, isCursor, text, batch } = shown.value;
      const detail: QuireResultDetail = {
        source,
        text: [...shown.printed, ...(text === "" ? [] : [text])].join("\n"),
        printed: [...shown.printed],
        documents: isCursor ? values : null,
        more: batch !== null,
        milliseconds,
      };
      tell(this, "result", detail);
      return;
    }
    const detail: QuireErrorDetail = { stage, ...error };
    if (error.name === "ScriptStopped") {
      this.#show(shown);
      this.#say(lost ? words.lost : words.stopped);
      tell(this, "error", detail);
      return;
    }
    if (stage === "script" && error.line !== null)
      this.#editor?.mark({ line: error.line, column: error.column ?? 1, message: error.text });
    this.#fail(
      detail,
      stage === "script" ? null : stage === "setup" ? words.setupFailed : words.dependencyFailed(name),
      shown,
    );
  }

  #sayResult(value: ResultValue, printed: readonly string[], milliseconds: number): void {
    const { words } = this;
    const count = value.values?.length ?? 0;
    const what = value.isCursor
      ? count === 0
        ? words.empty
        : words.documents(count, value.batch !== null)
      : value.text === "" && printed.length === 0
        ? words.nothing
        : null;
    this.#say([...(what === null ? [] : [what]), words.took(milliseconds)].join(" · "));
  }

  #fail(
    error: QuireErrorDetail,
    before: string | null,
    shown: Shown = { printed: [], leftOut: 0, value: null, failure: null },
  ): void {
    shown.failure = { error, before };
    this.#show(shown);
    this.#say(this.words.failed, true);
    tell(this, "error", error);
  }

  #show(shown: Shown | null): void {
    this.#shown = shown;
    this.#draw();
  }

  /** Draws the output: of the last run, or the author's own. */
  #draw(): void {
    const shown = this.#shown;
    const output = this.#output;
    if (shown === null) {
      output.replaceChildren(this.#fallback);
      output.hidden = this.#fallback.assignedNodes().length === 0;
      return;
    }
    const parts: Node[] = [];
    if (shown.leftOut > 0) parts.push(make("p", "note", this.words.leftOut(shown.leftOut)));
    if (shown.printed.length > 0) parts.push(make("pre", "printed", shown.printed.join("\n")));
    const { value, failure } = shown;
    if (value !== null) void this.#drawValue(value, output);
    if (failure !== null) {
      const { error, before } = failure;
      const box = make("div", "error", ...(before === null ? [] : [`${before}\n`]), error.text);
      if (error.line !== null) box.append(small(this.words.place(error.line, error.column ?? 1)));
      box.setAttribute("role", "alert");
      parts.push(box);
    }
    output.replaceChildren(...parts);
    output.hidden = parts.length === 0 && (value === null || (value.text === "" && value.values === null));
    output.scrollTop = 0;
    this.#reach();
  }

  /** What scrolls can be focused, so that keys scroll it; what does not is no stop for Tab. */
  #reach(): void {
    const output = this.#output;
    if (output.scrollHeight > output.clientHeight + 1) output.tabIndex = 0;
    else output.removeAttribute("tabindex");
  }

  async #drawValue(value: ResultValue, output: HTMLElement): Promise<void> {
    const [{ backend }, { drawValue, hasViews, withBatch }] = await load();
    if (this.#shown?.value !== value) return;
    const { words } = this;
    const parts: HTMLElement[] = [];
    if (hasViews(value)) {
      const views = make("div", "views");
      views.setAttribute("role", "group");
      views.setAttribute("aria-label", words.views);
      for (const view of snippetViews) {
        const button = make("button", "", words[view]);
        button.type = "button";
        button.setAttribute("aria-pressed", String(view === this.view));
        button.addEventListener("click", () => {
          this.view = view;
          void load().then(() => this.#output.querySelector<HTMLElement>(".views [aria-pressed=true]")?.focus());
        });
        views.append(button);
      }
      parts.push(views);
    }
    if (value.text !== "") parts.push(make("div", "result", drawValue(value, this.view, words)));
    if (value.batch !== null) {
      const more = make("button", "quiet", words.more);
      more.type = "button";
      const { batch, values } = value;
      more.addEventListener(
        "click",
        () =>
          void this.#more(more, () => backend.more(batch).then((next: CursorBatch) => withBatch(values ?? [], next))),
      );
      parts.push(more);
    }
    output.querySelectorAll(".views, .result, .result + button").forEach((old) => old.remove());
    output.append(...parts);
    output.hidden = output.children.length === 0;
    this.#reach();
  }

  async #more(button: HTMLButtonElement, ask: () => Promise<ResultValue>): Promise<void> {
    const shown = this.#shown;
    if (shown === null || button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    const started = performance.now();
    try {
      const next = await ask();
      if (this.#shown !== shown) return;
      const { scrollTop } = this.#output;
      shown.value = next;
      await this.#drawValue(next, this.#output);
      this.#output.scrollTop = scrollTop;
      (this.#output.querySelector<HTMLElement>(".result + button") ?? this.#output).focus({ preventScroll: true });
      this.#sayResult(next, shown.printed, Math.max(1, Math.round(performance.now() - started)));
    } catch (error) {
      if (this.#shown === shown) this.#fail(engineFailure(error), null, shown);
    }
  }
}

let plainText: boolean | null = null;

/** Firefox before 136 knows no `plaintext-only`. Asked by the first element: on a server there is no document. */
function supportsPlainText(): boolean {
  if (plainText === null) {
    const probe = document.createElement("div");
    try {
      probe.contentEditable = "plaintext-only";
      plainText = true;
    } catch {
      plainText = false;
    }
  }
  return plainText;
}

function small(text: string): HTMLElement {
  const element = document.createElement("small");
  element.textContent = text;
  return element;
}

function failureOf(stage: QuireErrorDetail["stage"], { name, message }: Error): QuireErrorDetail {
  return { stage, name, message, text: message, code: null, codeName: null, line: null, column: null };
}

function engineFailure(error: unknown): QuireErrorDetail {
  return failureOf("engine", error instanceof Error ? error : new Error(String(error)));
}
