/**
 * `<page-editor>`: the script, in CodeMirror, with the shell's and the database's own names to complete and the failing
 * place of the last run underlined.
 *
 * Fetched after the first paint; until then `plain-script.ts` stands in its place, whose cursor it takes over.
 *
 * Invariants: each tab has an editor state of its own, with its history of edits; the editor lives in this element's
 * shadow root, where CodeMirror's styles are adopted sheets that the Content-Security-Policy allows; the script in the
 * state follows the editor, and the other way only when the page replaces it, as one change that can be undone.
 */
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  ensureSyntaxTree,
  indentOnInput,
  indentUnit,
  LanguageSupport,
  syntaxTree,
} from "@codemirror/language";
import { Compartment, EditorState, type Extension, type StateEffect } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { ScriptError } from "../../protocol/run.ts";
import { wordFailure } from "../../state/controller.ts";
import type { AppState, SourceOffset } from "../../state/model.ts";
import type { TextChange } from "../../state/pipeline/edit.ts";
import type { Language } from "../../state/settings.ts";
import { openTabOf } from "../../state/tabs.ts";
import { PageElement } from "../element.ts";
import { tellMissed } from "../missed-part.ts";
import { shared } from "../../look/shared.ts";
import type * as Completing from "./completing.ts";
import { completionCode } from "./completion-code.ts";
import { editorLook } from "../../editor/editor-look.ts";
import { failingPlace, markFailing, syntaxPlace } from "../../editor/failing-place.ts";
import { plainSelection } from "./plain-script.ts";
import { typedOver } from "../../editor/typed-over.ts";

/** How many milliseconds a script may be parsed for the place of a new line; after that the line goes to its end. */
const READING_MILLIS = 100;

@customElement("page-editor")
export class PageEditor extends PageElement {
  @property({ attribute: false }) app!: AppState;
  @query(".holder") private holder!: HTMLElement;
  #view: EditorView | null = null;
  /** The cursor of the text field which stood here before. */
  #before: { readonly anchor: number; readonly head: number } | null = null;
  /** The tab in the editor. */
  #tab = 0;
  /** The other tabs' states, and where each was scrolled to. */
  readonly #others = new Map<number, { readonly state: EditorState; readonly scroll: StateEffect<unknown> }>();
  readonly #labels = new Compartment();
  readonly #help = new Compartment();
  #completing: Promise<typeof Completing> | null = null;
  /** Makes the help while typing; nothing until its code is there. */
  #make: () => Extension = () => [];
  #helping: Extension = [];
  readonly #search = new Compartment();
  /** Search and replace, once it is there. */
  #find: (language: Language) => Extension = () => [];
  #searching: readonly Extension[] = [];

  static override styles = [
    shared,
    css`
      :host { min-height: 0; --editor-size: var(--script-size, 0.875rem); }
      .holder { height: 100%; }
      @media (pointer: coarse) { :host { --editor-size: max(1rem, var(--script-size, 1rem)); } }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<div class="holder"></div>`;
  }

  override connectedCallback(): void {
    this.#before = plainSelection(this);
    super.connectedCallback();
  }

  protected override firstUpdated(): void {
    const { id, script } = openTabOf(this.app);
    this.#tab = id;
    this.#view = new EditorView({
      parent: this.holder,
      root: this.renderRoot as ShadowRoot,
      state: this.stateOf(script),
    });
    if (this.#before === null) return;
    this.#view.dispatch({
      selection: {
        anchor: Math.min(this.#before.anchor, script.length),
        head: Math.min(this.#before.head, script.length),
      },
    });
    this.#view.focus();
  }

  private stateOf(script: string): EditorState {
    return EditorState.create({
      doc: script,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("  "),
        bracketMatching(),
        new LanguageSupport(javascriptLanguage),
        EditorView.lineWrapping,
        typedOver,
        keymap.of([
          { key: "Mod-Enter", run: () => this.runNow(), preventDefault: true },
          { key: "Ctrl-Space", run: () => this.startCompletion() },
          { key: "F8", run: () => this.goToFault() },
          { key: "Mod-f", run: () => this.search(false), preventDefault: true },
          { key: "Ctrl-h", mac: "Cmd-Alt-f", run: () => this.search(true), preventDefault: true },
        ]),
        this.#help.of(this.#helping),
        this.#search.of(this.#searching),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.domEventHandlers({ focus: () => void this.completing() }),
        this.#labels.of(this.labels()),
        editorLook,
        failingPlace,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.store.dispatch({ kind: "script-edited", script: update.state.doc.toString() });
          // In a long script, or on a slow machine, the syntax tree around the cursor comes after the text.
          const isReadOn = syntaxTree(update.startState) !== syntaxTree(update.state);
          if (update.selectionSet || update.docChanged || isReadOn) this.tell(update.state);
        }),
      ],
    });
  }

  /** Tells the actions that the cursor's place allows: to run a selection, to edit a pipeline. */
  private tell(state: EditorState): void {
    const place = { selected: !state.selection.main.empty, inPipeline: isInPipeline(state) };
    this.dispatchEvent(new CustomEvent("placed", { detail: place }));
  }

  /** Puts the open tab's script into the editor: its own state, or a new one. */
  private showTab(view: EditorView): void {
    const { id, script } = openTabOf(this.app);
    if (id !== this.#tab) {
      this.#others.set(this.#tab, { state: view.state, scroll: view.scrollSnapshot() });
      for (const tab of this.#others.keys()) if (!this.app.tabs.some((one) => one.id === tab)) this.#others.delete(tab);
      this.#tab = id;
      const other = this.#others.get(id);
      view.setState(other?.state ?? this.stateOf(script));
      // Settings that changed while it lay aside.
      view.dispatch({
        effects: [
          this.#labels.reconfigure(this.labels()),
          this.#help.reconfigure(this.#helping),
          this.#search.reconfigure(this.#searching),
          ...(other === undefined ? [] : [other.scroll]),
        ],
      });
      this.tell(view.state);
      this.underline();
    }
    if (script !== view.state.doc.toString()) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: script },
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
    }
  }

  /** Fetches the help while typing, once. */
  private completing(): Promise<typeof Completing> {
    const before = this.#view?.state.doc;
    this.#completing ??= import("./completing.ts").then((module) => {
      this.#make = () =>
        module.completing(
          (context) => this.complete(context),
          () => this.app.settings.language,
          (fault) => this.dispatchEvent(new CustomEvent("checked", { detail: fault })),
        );
      this.help();
      if (this.#view !== null && this.#view.state.doc !== before) module.catchUp(this.#view);
      return module;
    });
    return this.#completing;
  }

  /** Opens search and replace; the first time it is fetched. */
  search(replacing: boolean): boolean {
    void import("./searching.ts").then(
      ({ searching, openSearch }) => {
        const view = this.#view;
        if (view === null) return;
        this.#find = searching;
        if (this.#searching.length === 0) this.findAnew();
        openSearch(view, replacing);
      },
      (failure: unknown) => tellMissed(this.services, failure),
    );
    return true;
  }

  /** Gives the editor its search with the words of the language of the moment; an open panel would keep its own. */
  private findAnew(): void {
    this.#searching = [this.#find(this.app.settings.language)];
    const view = this.#view;
    if (view === null) return;
    view.dispatch({ effects: this.#search.reconfigure([]) });
    view.dispatch({ effects: this.#search.reconfigure(this.#searching) });
  }

  /** Gives the editor the help while typing, made anew with the words of the language of the moment. */
  private help(): void {
    this.#helping = this.#make();
    this.#view?.dispatch({ effects: this.#help.reconfigure(this.#helping) });
  }

  /** Opens the list of names; the editor's own key for it does so once the list is there. */
  startCompletion(): boolean {
    void this.completing().then(({ startCompletion }) => this.#view !== null && startCompletion(this.#view));
    return true;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = null;
  }

  private labels() {
    return [
      placeholder(this.m["script.placeholder"]),
      EditorView.contentAttributes.of({
        tabindex: "0",
        "aria-label": this.m["script.label"],
        spellcheck: "false",
        autocapitalize: "off",
        autocorrect: "off",
      }),
    ];
  }

  protected override updated(changed: PropertyValues): void {
    const view = this.#view;
    const before = changed.get("app") as AppState | undefined;
    if (view === null) return;
    if (before?.settings.language !== this.app.settings.language) {
      view.dispatch({ effects: this.#labels.reconfigure(this.labels()) });
      if (before !== undefined) this.help();
      if (this.#searching.length > 0) this.findAnew();
    }
    this.showTab(view);
    if (
      before !== undefined &&
      (before.leaves[0]?.error !== this.app.leaves[0]?.error || before.runs !== this.app.runs)
    )
      this.underline();
  }

  /** Marks where the newest run failed; nothing when it did not. */
  private underline(): void {
    const view = this.#view;
    if (view === null) return;
    const leaf = this.app.leaves[0];
    const range = leaf?.error == null || leaf.tab !== this.#tab ? null : this.rangeOf(leaf.error, leaf.offset);
    view.dispatch({
      effects: markFailing.of(range === null || leaf?.error == null ? null : { ...range, message: leaf.error.text }),
    });
  }

  private rangeOf(error: ScriptError, offset: SourceOffset): { from: number; to: number } | null {
    const view = this.#view;
    if (view === null || error.line === null) return null;
    const from = this.position(error.line + offset.line, (error.column ?? 1) + (error.line === 1 ? offset.column : 0));
    if (from === null) return null;
    const line = view.state.doc.lineAt(from);
    const name = /^[\w$.]+/.exec(line.text.slice(from - line.from))?.[0];
    const to = name === undefined ? line.to : from + name.length;
    return to > from ? { from, to } : { from: line.from, to: Math.max(line.to, line.from) };
  }

  /** Lines and columns count from 1. */
  private position(line: number, column: number): number | null {
    const document = this.#view?.state.doc;
    if (document === undefined || line < 1 || line > document.lines) return null;
    const found = document.line(line);
    return Math.min(found.from + Math.max(0, column - 1), found.to);
  }

  /** The source that Run would run, the selection or all, and its place in the script. */
  get chosen(): { readonly source: string; readonly offset: SourceOffset } {
    const state = this.#view?.state;
    const selection = state?.selection.main;
    if (state === undefined || selection === undefined || selection.empty)
      return { source: openTabOf(this.app).script, offset: { line: 0, column: 0 } };
    const line = state.doc.lineAt(selection.from);
    return {
      source: state.sliceDoc(selection.from, selection.to),
      offset: { line: line.number - 1, column: selection.from - line.from },
    };
  }

  /** The script, and the offsets of the selection. */
  get place(): { readonly source: string; readonly from: number; readonly to: number } {
    const state = this.#view?.state;
    const { from, to } = state?.selection.main ?? { from: 0, to: 0 };
    return { source: state?.doc.toString() ?? "", from, to };
  }

  runNow(): boolean {
    const { source, offset } = this.chosen;
    void this.controller.run(source, offset);
    return true;
  }

  /** Puts the cursor at a place and the editor in view. */
  goTo(line: number, column: number): void {
    const at = this.position(line, column);
    if (at === null) return;
    this.#view?.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.#view?.focus();
  }

  /** Puts the cursor where the syntax is wrong; false when nothing is known to be. */
  goToFault(): boolean {
    const view = this.#view;
    const place = view === null ? null : syntaxPlace(view.state);
    if (view === null || place === null) return false;
    view.dispatch({ selection: { anchor: place.from }, scrollIntoView: true });
    view.focus();
    return true;
  }

  /** Changes a part of the script, and leaves cursor and scrolling where they are. */
  change({ from, to, insert }: TextChange): void {
    const view = this.#view;
    if (view === null) return;
    view.dispatch({ changes: { from, to, insert }, userEvent: "input.cards" });
  }

  /** Lays the script out, as one change that can be undone. */
  async format(): Promise<void> {
    const before = this.#view?.state.doc;
    if (before === undefined) return;
    const code = await import("./format.ts").catch((failure: unknown) => tellMissed(this.services, failure));
    if (code === undefined) return;
    try {
      const text = await code.formatScript(before.toString());
      const view = this.#view;
      // Text typed meanwhile, or in another tab, is not overwritten.
      if (view === null || view.state.doc !== before || text === before.toString()) return;
      const line = before.lineAt(view.state.selection.main.head).number;
      view.dispatch({ changes: { from: 0, to: before.length, insert: text }, userEvent: "input.format" });
      view.dispatch({
        selection: { anchor: view.state.doc.line(Math.min(line, view.state.doc.lines)).from },
        scrollIntoView: true,
      });
    } catch (error) {
      this.controller.notice("bad", this.m["tool.formatFailed"](wordFailure(error)));
    }
  }

  override focus(): void {
    this.#view?.focus();
  }

  /** Adds a line: a half-written `db.name.` at the end, to go on with; a whole statement before the last one. */
  insert(text: string): void {
    const view = this.#view;
    if (view === null) return;
    const unfinished = text.endsWith(".");
    const end = view.state.doc.length;
    const tree = unfinished ? null : ensureSyntaxTree(view.state, end, READING_MILLIS);
    const last = tree?.topNode.lastChild ?? null;
    const from = last === null ? end : view.state.doc.lineAt(last.from).from;
    const open = last === null && view.state.doc.line(view.state.doc.lines).text !== "" ? "\n" : "";
    const insert = `${open}${text}${unfinished ? "" : "\n"}`;
    view.dispatch({
      changes: { from, insert },
      selection: { anchor: from + open.length + text.length },
      scrollIntoView: true,
      userEvent: "input.complete",
    });
    view.focus();
    if (unfinished) this.startCompletion();
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const code = await completionCode(this.app.settings.language);
    if (code === null) return null;
    const { app, controller, words } = this;
    return code.offer(context, {
      database: app.database,
      help: code.help,
      number: (count) => words.number(count),
      databases: () => controller.databases(),
      fields: (collection) => controller.fields(collection),
    });
  }
}

/** Whether the cursor is in a call of `aggregate`, by the syntax tree as far as it is parsed. */
function isInPipeline(state: EditorState): boolean {
  let node = syntaxTree(state).resolveInner(state.selection.main.head, -1).parent;
  for (; node !== null; node = node.parent) {
    const name = node.name === "CallExpression" ? node.firstChild?.getChild("PropertyName") : null;
    if (name != null && state.sliceDoc(name.from, name.to) === "aggregate") return true;
  }
  return false;
}

/** The actions that the cursor's place allows: `selected` to run a part, `inPipeline` to edit a pipeline. */
export interface CursorPlace {
  readonly selected: boolean;
  readonly inPipeline: boolean;
}
