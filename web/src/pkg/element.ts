/**
 * `quiredb/element`: `<quire-snippet>` and `<quire-playground>`, which make a page's code blocks run.
 *
 * What stands inside the element is what a reader without scripts sees; the element shows the same text with a
 * Run button below. Invariants: all elements of a page that name the same deployment share one worker; nothing
 * is loaded before the first Run; styles come as constructed sheets, so a strict `style-src` suffices.
 */
import type { QuireClient, ScriptRun } from "../client/client.ts";
import { valueText } from "../client/values.ts";
import { defineElements } from "./element-define.ts";

const clients = new Map<string, Promise<QuireClient>>();

function clientOf(name: string, storage: "indexeddb" | "memory"): Promise<QuireClient> {
  const key = `${storage}:${name}`;
  let client = clients.get(key);
  if (client === undefined) {
    client = import("../client/open.ts").then(({ openClient }) => openClient({ deployment: { name, storage } }));
    client.catch(() => clients.delete(key));
    clients.set(key, client);
  }
  return client;
}

const STYLE = `
:host { display: block; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; overflow: hidden; }
.code, .output { margin: 0; padding: 0.75rem 1rem; font: 0.9em/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
.code:focus-visible { outline: 2px solid Highlight; outline-offset: -2px; }
.bar { display: flex; align-items: center; gap: 0.75rem; padding: 0.35rem 1rem; border-block-start: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.bar button { font: inherit; padding: 0.2rem 0.9rem; min-block-size: 2rem; cursor: pointer; }
.state { font-size: 0.85em; opacity: 0.75; }
.output { border-block-start: 1px solid color-mix(in srgb, currentColor 15%, transparent); max-block-size: 24rem; overflow: auto; }
.output[data-failed] { border-inline-start: 3px solid #b3261e; }
`;

const en = { script: "Script", run: "Run", stop: "Stop", loading: "Loading…", running: "Running…", took: (millis: number) => `${millis} ms`, place: (line: number, column: number) => `at line ${line}, column ${column}` };
const zhHans: typeof en = { script: "脚本", run: "运行", stop: "停止", loading: "正在加载…", running: "正在运行…", took: (millis) => `${millis} 毫秒`, place: (line, column) => `位于第 ${line} 行第 ${column} 列` };

/** The words of the language that the element stands in. */
function wordsAt(element: Element): typeof en {
  return /^zh(?!-(Hant|TW|HK|MO))/i.test(element.closest("[lang]")?.getAttribute("lang") ?? "") ? zhHans : en;
}

let sheet: CSSStyleSheet | null = null;
function styles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  return sheet;
}

/** The text of a code block without its common indentation and its outer empty lines. */
function tidy(text: string): string {
  const lines = text.replace(/^\s*\n|\s+$/g, "").split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(common)).join("\n");
}

/**
 * A code block that runs. Attributes: `deployment` (default `snippets`), `database` (default `test`), `storage`
 * (`memory`, the default, or `indexeddb`), `readonly`.
 */
export class QuireSnippet extends HTMLElement {
  readonly #code = document.createElement("pre");
  readonly #button = document.createElement("button");
  readonly #state = document.createElement("span");
  readonly #output = document.createElement("pre");
  #run: ScriptRun | null = null;
  #words = en;

  connectedCallback(): void {
    if (this.shadowRoot !== null) return;
    this.#words = wordsAt(this);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles()];
    this.#code.className = "code";
    this.#code.textContent = tidy(this.querySelector("pre, script")?.textContent ?? this.textContent ?? "");
    if (!this.hasAttribute("readonly")) {
      this.#code.contentEditable = "plaintext-only";
      this.#code.setAttribute("role", "textbox");
      this.#code.setAttribute("aria-multiline", "true");
      this.#code.setAttribute("aria-label", this.#words.script);
      this.#code.spellcheck = false;
    }
    this.#code.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void this.run();
      }
    });
    this.#button.type = "button";
    this.#button.textContent = this.#words.run;
    this.#button.addEventListener("click", () => {
      if (this.#run === null) void this.run();
      else this.#run.stop();
    });
    this.#state.className = "state";
    this.#state.setAttribute("role", "status");
    this.#output.className = "output";
    this.#output.hidden = true;
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.append(this.#button, this.#state);
    root.append(this.#code, bar, this.#output);
  }

  /** The script as it stands, with the reader's changes. */
  get source(): string {
    return this.#code.textContent ?? "";
  }

  /** Runs the script and shows its outcome. */
  async run(): Promise<void> {
    if (this.#run !== null) return;
    const lines: string[] = [];
    this.#state.textContent = this.#words.loading;
    try {
      const storage = this.getAttribute("storage") === "indexeddb" ? "indexeddb" : "memory";
      const client = await clientOf(this.getAttribute("deployment") ?? "snippets", storage);
      this.#button.textContent = this.#words.stop;
      this.#state.textContent = this.#words.running;
      this.#run = client.run(this.source, { database: this.getAttribute("database") ?? "test" }, (progress) => {
        lines.push(...progress.printed);
        this.#show(lines.join("\n"), false);
      });
      const outcome = await this.#run.outcome;
      lines.push(...outcome.printed);
      if (outcome.error === null) {
        const text = valueText(outcome.value);
        if (text !== "") lines.push(text);
      } else {
        const { text, line, column } = outcome.error;
        lines.push(line === null ? text : `${text}\n    ${this.#words.place(line, column ?? 1)}`);
      }
      this.#show(lines.join("\n"), outcome.error !== null);
      this.#state.textContent = this.#words.took(Math.max(1, Math.round(outcome.statistics.elapsedMillis)));
    } catch (error) {
      this.#show(error instanceof Error ? error.message : String(error), true);
      this.#state.textContent = "";
    } finally {
      this.#run = null;
      this.#button.textContent = this.#words.run;
    }
  }

  #show(text: string, failed: boolean): void {
    this.#output.hidden = text === "";
    this.#output.textContent = text;
    this.#output.toggleAttribute("data-failed", failed);
  }
}

/** A snippet whose data is kept: the same block, with storage by default. */
export class QuirePlayground extends QuireSnippet {
  override connectedCallback(): void {
    if (!this.hasAttribute("deployment")) this.setAttribute("deployment", "playground");
    if (!this.hasAttribute("storage")) this.setAttribute("storage", "indexeddb");
    super.connectedCallback();
  }
}

defineElements({ "quire-snippet": QuireSnippet, "quire-playground": QuirePlayground });
