/**
 * Runs the snippets of a built page, as a reader does who presses Run on each from top to bottom, and compares their
 * outputs with the page's.
 *
 * Invariants: each page begins with empty engines, one a topology; a snippet's setup and the snippets it depends on run
 * before it by the rules of the element (`embed/order.ts`, `embed/backend.ts`); a snippet fails when it ends with an
 * error that the page does not show, or when its output is another than the page's.
 */
import { ISOLATE } from "../../embed/attributes.ts";
import { Backend, type BackendClient, type Finished } from "../../embed/backend.ts";
import type { DifferenceLine } from "../../embed/expected.ts";
import { checkOrder, dependenciesOf, OrderError, setupOf, stepsBefore } from "../../embed/order.ts";
import { readFinished } from "../../embed/results.ts";
import { languageAt, tableFor, wordsFor } from "../../embed/words.ts";
import type { Topology } from "../../engine/topology.ts";
import type { ScriptError } from "../../protocol/run.ts";
import { databaseOf, snippetsOf, type PageSnippet } from "./page.ts";

/** The outcome of one snippet. */
export interface SnippetReport {
  readonly title: string;
  readonly outcome: /** It ran, and where that was asked for its output is the page's. */
    | { readonly kind: "passed"; readonly compared: boolean }
    /** It ran, and gave another output than the page's. */
    | { readonly kind: "differs"; readonly difference: readonly DifferenceLine[] }
    /** It, or a script before it, failed; or its attributes name a setup or a snippet that there is not. */
    | { readonly kind: "failed"; readonly message: string };
}

export type OpenEngine = (topology?: Topology) => Promise<BackendClient & { close(): void }>;

/** Runs all snippets of a page in engines of their own. */
export async function checkPage(html: string, openEngine: OpenEngine): Promise<readonly SnippetReport[]> {
  const snippets = snippetsOf(html);
  const opened: { close(): void }[] = [];
  const open = (topology: Topology) => async (): Promise<BackendClient> => {
    const client = await openEngine(topology);
    opened.push(client);
    return client;
  };
  try {
    const page = new Page(open);
    const reports: SnippetReport[] = [];
    for (const snippet of snippets) reports.push({ title: snippet.title, outcome: await page.check(snippet) });
    return reports;
  } finally {
    for (const engine of opened) engine.close();
  }
}

class Page {
  readonly #open: (topology: Topology) => () => Promise<BackendClient>;
  readonly #backends = new Map<Topology, Backend>();
  readonly #words = wordsFor("en");
  /** In which beginning of its database each snippet came to its end. */
  readonly #ranIn = new Map<PageSnippet, number>();

  constructor(open: (topology: Topology) => () => Promise<BackendClient>) {
    this.#open = open;
  }

  #backendOf({ topology }: PageSnippet): Backend {
    let backend = this.#backends.get(topology);
    if (backend === undefined) this.#backends.set(topology, (backend = new Backend(this.#open(topology))));
    return backend;
  }

  async check(snippet: PageSnippet): Promise<SnippetReport["outcome"]> {
    const { checked, expected } = snippet;
    if (checked && expected === null)
      return { kind: "failed", message: "`check` needs the expected output in an <output> inside the snippet" };
    let finished: Finished;
    try {
      checkOrder(snippet, this.#words);
      finished = await this.#run(snippet);
    } catch (error) {
      if (!(error instanceof OrderError)) throw error;
      return { kind: "failed", message: error.message };
    }
    const { stage, name } = finished;
    const language = tableFor(languageAt(snippet));
    const { text, told, difference } = await readFinished(finished, checked ? expected : null, language);
    if (stage !== "script") {
      const before = stage === "setup" ? this.#words.setupFailed : this.#words.dependencyFailed(name);
      return { kind: "failed", message: `${before}\n${text}${this.#placeOf(told)}` };
    }
    if (difference !== null) return { kind: "differs", difference };
    // An error that the page shows as its output passes: its author shows it on purpose.
    if (told !== null && !checked) return { kind: "failed", message: text + this.#placeOf(told) };
    return { kind: "passed", compared: checked };
  }

  /** The place of an error, on a line of its own as in the page. */
  #placeOf(error: Pick<ScriptError, "line" | "column"> | null): string {
    return error === null || error.line === null ? "" : `\n${this.#words.place(error.line, error.column ?? 1)}`;
  }

  async #run(snippet: PageSnippet): Promise<Finished> {
    const isolated = snippet.db === ISOLATE;
    const database = databaseOf(snippet);
    if (!isolated) {
      for (const dependency of dependenciesOf(snippet, this.#words) as readonly PageSnippet[]) {
        if (this.#ranIn.get(dependency) === this.#backendOf(dependency).generation(databaseOf(dependency))) continue;
        const before = await this.#run(dependency);
        if (before.outcome.error !== null) return { ...before, stage: "depends-on", name: dependency.id };
      }
    }
    const setup = isolated ? null : setupOf(snippet, this.#words);
    const steps = isolated
      ? stepsBefore(snippet, this.#words)
      : setup === null
        ? []
        : [{ stage: "setup" as const, name: "", source: setup }];
    const backend = this.#backendOf(snippet);
    const finished = await backend.run(
      { database, isolated, steps, source: snippet.source },
      () => undefined,
      () => undefined,
    ).finished;
    if (finished.outcome.error === null) this.#ranIn.set(snippet, backend.generation(database));
    return finished;
  }
}
