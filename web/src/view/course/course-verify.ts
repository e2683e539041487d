/**
 * `<quire-course-verify>`: files of model cards, each of which is made again from its scripts and compared.
 *
 * Invariants: of a file nothing is believed but its scripts, which run in the sandbox in an engine of their own; the
 * files are done one after the other; a claim is shown as one, beside what was found.
 */
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { openClient } from "../../client/reading.ts";
import { courseOfFile, makeCard, verify, type Card, type Verified } from "../../lessons/course/card.ts";
import { languageOf, readCourse } from "../../lessons/course/course.ts";
import { wordFault } from "../../lessons/course/faults.ts";
import { readLesson, type Lesson } from "../../lessons/course/lesson.ts";
import { readWork } from "../../lessons/course/progress.ts";
import { SCRIPTS_FILE } from "../../lessons/course/scripts.ts";
import { fetchFile } from "../../lessons/files.ts";
import { courseMessagesOf, type CourseMessages } from "../../messages/course/words.ts";
import type { Language } from "../../state/settings.ts";
import { drawCard } from "./card-tables.ts";
import { wordClaim } from "./claim-words.ts";
import { drawCode } from "./course-code.ts";
import { courseStyles } from "./course-styles.ts";
import { SnippetStyled } from "./snippet-styled.ts";

type State =
  | { readonly kind: "waits" }
  | { readonly kind: "works"; readonly done: number; readonly all: number }
  | { readonly kind: "foreign" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "done"; readonly verified: Verified };

interface Row {
  readonly number: number;
  readonly file: string;
  readonly state: State;
}

/** Whether a file holds a student's work and says nothing of a card. */
const isClaimless = ({ tasks, collections, foreign }: Verified): boolean =>
  foreign.length === 0 && [...tasks.values(), ...collections.values()].every(({ claimed }) => claimed === null);

export class CourseVerify extends SnippetStyled {
  @property() language: Language = "en";
  @state() private rows: readonly Row[] = [];
  @state() private isOver = false;
  #last: Promise<void> = Promise.resolve();

  static override styles = courseStyles;

  private get c(): CourseMessages {
    return courseMessagesOf(this.language);
  }

  private take(files: readonly File[]): void {
    for (const file of files) {
      const number = this.rows.length;
      this.rows = [...this.rows, { number, file: file.name, state: { kind: "waits" } }];
      this.#last = this.#last.then(() => this.verifyFile(number, file));
    }
  }

  private say(number: number, state: State): void {
    this.rows = this.rows.map((row) => (row.number === number ? { ...row, state } : row));
  }

  private async verifyFile(number: number, file: File): Promise<void> {
    if (!this.isConnected) return;
    try {
      const text = await file.text();
      const id = courseOfFile(text);
      if (id === null) return this.say(number, { kind: "foreign" });
      const folder = new URL(`./courses/${id}/`, this.baseURI);
      const read = (path: string): Promise<string> => fetchFile(path, new URL(path, folder));
      const json = await read("course.json").catch(() => null);
      const { course, faults } = json === null ? { course: null, faults: [] } : readCourse(json);
      const work = course === null ? null : readWork(text, course.id);
      const database = course?.lessons[0]?.database;
      if (course === null || course.kind !== "project" || work === null || database === undefined)
        return this.say(
          number,
          faults.length === 0 ? { kind: "foreign" } : { kind: "failed", why: faults.map(wordFault).join("\n") },
        );
      const language = languageOf(course, this.language);
      const lessons: Lesson[] = [];
      for (const { id: lesson } of course.lessons) {
        const [scripts, words] = await Promise.all([
          read(`${lesson}/${SCRIPTS_FILE}`),
          read(`${lesson}/${language}.md`),
        ]);
        lessons.push(readLesson(lesson, language, { scripts, text: words }).lesson);
      }
      const client = await openClient({ deployment: { name: "course", storage: "memory" } });
      let card: Card;
      try {
        card = await makeCard(lessons, work, database, client, (done) =>
          this.say(number, { kind: "works", done, all: lessons.length }),
        );
      } finally {
        void client.close().catch(() => undefined);
      }
      const verified = verify(text, course, card);
      this.say(number, verified === null ? { kind: "foreign" } : { kind: "done", verified });
    } catch (error) {
      this.say(number, { kind: "failed", why: error instanceof Error ? error.message : String(error) });
    }
  }

  private number(value: number): string {
    return new Intl.NumberFormat(this.language).format(value);
  }

  protected override render(): TemplateResult {
    const { c, rows } = this;
    const over = (event: DragEvent): void => {
      event.preventDefault();
      this.isOver = true;
    };
    return html`<article class="card" tabindex="-1" data-main data-page="verify" aria-label=${c["verify.title"]}>
      <h1>${c["verify.title"]}</h1>
      <div class="text"><p>${c["verify.about"]}</p></div>
      <div class=${this.isOver ? "drop over" : "drop"} @dragover=${over} @dragleave=${() => (this.isOver = false)}
        @drop=${(event: DragEvent) => {
          event.preventDefault();
          this.isOver = false;
          this.take([...(event.dataTransfer?.files ?? [])]);
        }}>
        <button type="button" class="button main" @click=${() =>
          this.renderRoot.querySelector<HTMLInputElement>("#files")?.click()}>${c["verify.pick"]}</button>
        <span class="about">${c["verify.drop"]}</span>
        <input type="file" id="files" multiple accept=".json,application/json" tabindex="-1"
          aria-label=${c["verify.pick"]} @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            this.take([...(input.files ?? [])]);
            input.value = "";
          }} />
      </div>
      ${
        rows.length === 0
          ? nothing
          : html`<div class="scroller" tabindex="0" role="group" aria-label=${c["verify.files"]}>
            <table data-verify aria-busy=${String(rows.some(({ state }) => state.kind === "works"))}>
            <thead><tr><th scope="col">${c["verify.file"]}</th><th scope="col">${c["verify.name"]}</th><th
              scope="col">${c["verify.passes"]}</th><th scope="col">${c["verify.claims"]}</th></tr></thead>
            <tbody>${rows.map((row) => this.row(row))}</tbody></table></div>`
      }
      <p class="unseen" role="status">${rows.map(({ file, state }) =>
        state.kind === "done"
          ? `${file}: ${state.verified.holds ? c["verify.holds"] : c["verify.fails"]}. `
          : state.kind === "foreign"
            ? `${file}: ${c["verify.foreign"]}. `
            : state.kind === "failed"
              ? `${file}: ${state.why}. `
              : "",
      )}</p>
      ${rows.map((row) => (row.state.kind === "done" ? this.details(row.file, row.state.verified) : nothing))}
    </article>`;
  }

  private row({ file, state }: Row): TemplateResult {
    const { c } = this;
    const of = (some: number, all: number): string => c["verify.of"](this.number(some), this.number(all));
    const cells = (): TemplateResult => {
      switch (state.kind) {
        case "waits":
          return html`<td colspan="3">${c["verify.waits"]}</td>`;
        case "works":
          return html`<td colspan="3">${c["verify.working"](this.number(state.done + 1), this.number(state.all))}</td>`;
        case "foreign":
          return html`<td colspan="3" class="fails">${c["verify.foreign"]}</td>`;
        case "failed":
          return html`<td colspan="3" class="fails">${state.why}</td>`;
        case "done": {
          const { name, tasks, collections, foreign, holds } = state.verified;
          const all = [...tasks.values(), ...collections.values()];
          const passing = [...tasks.values()].filter(({ found }) => found.passes).length;
          const passed = html`<td>${name}</td><td>${of(passing, tasks.size)}</td>`;
          if (isClaimless(state.verified)) return html`${passed}<td class="fails">${c["verify.claimless"]}</td>`;
          return html`${passed}<td class=${holds ? "passes" : "fails"}>${holds ? "✓" : "✗"} ${of(
            all.filter((one) => one.holds).length,
            all.length + foreign.length,
          )} · ${holds ? c["verify.holds"] : c["verify.fails"]}</td>`;
        }
      }
    };
    return html`<tr data-file=${file} data-state=${state.kind} data-holds=${
      state.kind === "done" ? String(state.verified.holds) : nothing
    }><th scope="row">${file}</th>${cells()}</tr>`;
  }

  /** The claims that do not hold, the card as it was found, and the scripts. */
  private details(file: string, verified: Verified): TemplateResult {
    const { c } = this;
    const { card, tasks, collections, foreign } = verified;
    const claims = isClaimless(verified) ? [] : [...tasks, ...collections];
    const failing = claims.filter(([, { holds }]) => !holds);
    const say = (told: unknown, beside: unknown): readonly TemplateResult[] =>
      wordClaim(told, beside, c, (value) => this.number(value)).map((line) => html`<p>${line}</p>`);
    return html`<details data-details=${file}><summary><h2 class="line">${c["verify.details"](file)}</h2></summary>
      ${
        failing.length + foreign.length === 0
          ? nothing
          : html`<div class="scroller" tabindex="0" role="group" aria-label=${c["verify.fails"]}>
            <table class="claims" data-failing>
            <thead><tr><th scope="col">${c["verify.what"]}</th><th scope="col">${c["verify.found"]}</th><th
              scope="col">${c["verify.claimed"]}</th></tr></thead>
            <tbody>${failing.map(
              ([name, { found, claimed }]) =>
                html`<tr data-what=${name}><th scope="row"><code>${name}</code></th>
                  <td>${say(found, claimed)}</td><td>${say(claimed, found)}</td></tr>`,
            )}${foreign.map(
              (name) =>
                html`<tr data-what=${name}><th scope="row"><code>${name}</code></th>
                  <td>${c["verify.nothing"]}</td><td>${c["verify.only"]}</td></tr>`,
            )}</tbody></table></div>`
      }
      ${drawCard(card, c, (value) => this.number(value))}
      ${card.releases.flatMap(({ tasks: own }) =>
        own.map(({ id, source }) =>
          source === ""
            ? nothing
            : html`<details><summary><span class="line"><code>${id}</code> ${c["teacher.script"]}</span></summary><pre
              class="plain" tabindex="0">${drawCode(source)}</pre></details>`,
        ),
      )}</details>`;
  }
}
