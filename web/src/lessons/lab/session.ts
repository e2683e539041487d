/**
 * A reader at a lab: its files, the scripts as the reader changed them, and the figures of the runs.
 *
 * Invariants: the only module of the lab that opens engines; a run that was stopped, or that began before a script was
 * changed or another lab opened, adds no figure; figures of other scripts than those shown are told as such.
 */
import { languageOf } from "../course/course.ts";
import { wordFault, type Fault } from "../course/faults.ts";
import { encodeShared } from "../../share/encode.ts";
import { longestLink } from "../../state/share.ts";
import {
  filesOf,
  LAB_FILE,
  LAB_SCRIPTS,
  readLab,
  rewriteScripts,
  scriptAt,
  sharedLab,
  withScript,
  writeLab,
  type LabManifest,
  type ScriptPlace,
} from "./lab.ts";
import { SCALES, scalesUpTo, type LabMeasure } from "./measure.ts";
import { parseScripts, type LabScripts } from "./parse.ts";
import { LabStopped, measureLab, type LabHost, type LabProgress } from "./run.ts";
import { readLabText, type LabText } from "./text.ts";

/** The page's part of a session: the lab's files, and engines. */
export interface LabPlace {
  /** A file of the lab, by its name beside `lab.json`. */
  read(name: string): Promise<string>;
  openHost(): Promise<LabHost>;
}

export type LabPhase = "files" | "ready" | "failed";

export class LabSession {
  readonly #place: LabPlace;
  readonly #listeners = new Set<() => void>();
  #files: Readonly<Record<string, string>> = {};
  /** Counts the labs that were opened and the changes of scripts. */
  #version = 0;
  #measuredVersion = 0;
  #control: AbortController | null = null;
  #running: Promise<void> | null = null;
  /** Counts the runs that were asked for: of several that wait, the last begins. */
  #asked = 0;

  manifest: LabManifest | null = null;
  language = "en";
  phase: LabPhase = "files";
  /** Why the lab cannot be shown, or the last run gave nothing. */
  failure: string | null = null;
  faults: readonly Fault[] = [];
  /** The scripts as they stand, and as the lab has them. */
  scripts: LabScripts | null = null;
  original: LabScripts | null = null;
  text: LabText | null = null;
  scale: number = SCALES[3];
  measures: ReadonlyMap<number, LabMeasure> = new Map();
  progress: LabProgress | null = null;

  constructor(place: LabPlace) {
    this.#place = place;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** The figures at the chosen scale; null before its run. */
  get measure(): LabMeasure | null {
    return this.measures.get(this.scale) ?? null;
  }

  /** Whether the figures are those of other scripts than the ones shown. */
  get isStale(): boolean {
    return this.measures.size > 0 && this.#measuredVersion !== this.#version;
  }

  get isEdited(): boolean {
    return this.scripts !== this.original;
  }

  /** The script at a place, as it stands. */
  script(place: ScriptPlace): string {
    return this.scripts === null ? "" : scriptAt(this.scripts, place);
  }

  /** The script at a place, as the lab has it. */
  author(place: ScriptPlace): string {
    return this.original === null ? "" : scriptAt(this.original, place);
  }

  /** Reads the lab of the place; `file` is one that has everything inside. */
  async start(language: string, file: string | null = null): Promise<void> {
    try {
      const manifest = readLab(file ?? (await this.#place.read(LAB_FILE)));
      const files: Record<string, string> = { ...manifest.files };
      if (manifest.files === null)
        for (const [name, text] of await Promise.all(
          filesOf(manifest).map(async (name) => [name, await this.#place.read(name)] as const),
        ))
          files[name] = text;
      this.#open(manifest, files, language);
    } catch (error) {
      this.phase = "failed";
      this.failure = error instanceof Error ? error.message : String(error);
    }
    this.#changed();
  }

  /** Opens a file in the place of the lab; false where it is none, and why stands in `failure`. */
  take(text: string): boolean {
    try {
      const manifest = readLab(text);
      if (manifest.files === null) throw new Error("this file names its scripts and has them not inside");
      this.#open(manifest, manifest.files, this.language);
      return true;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.#changed();
    }
  }

  #open(manifest: LabManifest, files: Readonly<Record<string, string>>, language: string): void {
    const scripts = parseScripts(files[LAB_SCRIPTS] ?? "");
    this.stop();
    this.#version += 1;
    this.#files = files;
    this.manifest = manifest;
    this.scripts = scripts;
    this.original = scripts;
    this.measures = new Map();
    this.failure = null;
    this.phase = "ready";
    this.#speak(language);
  }

  #speak(language: string): void {
    const { manifest, original } = this;
    if (manifest === null || original === null) return;
    this.language = languageOf(manifest, language);
    const { text, faults } = readLabText(this.language, this.#files[`${this.language}.md`] ?? "", original);
    this.text = text;
    this.faults = faults;
  }

  /** Goes over to another language; figures stay. */
  speak(language: string): void {
    this.#speak(language);
    this.#changed();
  }

  /** Changes a script. */
  edit(place: ScriptPlace, source: string): void {
    const { scripts, original } = this;
    if (scripts === null || original === null || scriptAt(scripts, place) === source) return;
    const changed = withScript(scripts, place, source);
    // A script that was put back leaves the lab as its author has it.
    const file = this.#files[LAB_SCRIPTS] ?? "";
    this.scripts = rewriteScripts(file, changed) === rewriteScripts(file, original) ? original : changed;
    this.#version += 1;
    this.#changed();
  }

  /** All scripts as the lab has them. */
  reset(): void {
    if (!this.isEdited) return;
    this.scripts = this.original;
    this.#version += 1;
    this.#changed();
  }

  /** Chooses a scale; where figures are shown already and this scale is not among them, it is measured. */
  choose(scale: number): void {
    const chosen = SCALES.find((one) => one === scale);
    if (chosen === undefined || chosen === this.scale) return;
    this.scale = chosen;
    this.#changed();
    if (this.measures.size > 0 && (this.busy || this.measure === null)) void this.run();
  }

  /** Measures the scales up to the chosen one that have no figures yet, the small ones first. */
  async run(): Promise<void> {
    if (this.scripts === null) return;
    this.stop();
    const asked = ++this.#asked;
    await this.#running;
    if (asked !== this.#asked) return;
    const control = new AbortController();
    this.#control = control;
    const run = this.#run(this.scripts, control.signal);
    this.#running = run;
    this.#changed();
    await run;
    if (this.#running === run) this.#running = null;
    this.progress = null;
    this.#changed();
  }

  async #run(scripts: LabScripts, signal: AbortSignal): Promise<void> {
    const version = this.#version;
    this.failure = null;
    if (this.#measuredVersion !== version) this.measures = new Map();
    this.#measuredVersion = version;
    try {
      for (const scale of scalesUpTo(this.scale)) {
        if (this.measures.has(scale)) continue;
        const measure = await measureLab(scripts, scale, {
          openHost: () => this.#place.openHost(),
          signal,
          onProgress: (progress) => {
            this.progress = progress;
            this.#changed();
          },
        });
        if (signal.aborted) return;
        this.measures = new Map([...this.measures, [scale, measure]]);
        this.#changed();
      }
    } catch (error) {
      if (!(error instanceof LabStopped)) this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  /** Ends the run; one that waits for it begins all the same. */
  stop(): void {
    this.#control?.abort();
    this.#control = null;
  }

  get #written(): Readonly<Record<string, string>> {
    return this.isEdited && this.scripts !== null
      ? { ...this.#files, [LAB_SCRIPTS]: rewriteScripts(this.#files[LAB_SCRIPTS] ?? "", this.scripts) }
      : this.#files;
  }

  /** The lab as a file. */
  exported(): { readonly name: string; readonly text: string } | null {
    const { manifest } = this;
    return manifest === null ? null : { name: `${manifest.id}.lab.json`, text: writeLab(manifest, this.#written) };
  }

  /** The link that opens this lab in a page; null where it would be too long for one. */
  async link(page: string): Promise<string | null> {
    const { manifest, language } = this;
    if (manifest === null) return null;
    const url = new URL(page);
    url.searchParams.delete("lab");
    url.searchParams.set("lang", language);
    url.searchParams.set("n", String(this.scale));
    url.hash = await encodeShared({ scripts: sharedLab(manifest, this.#written) });
    return url.href.length > longestLink ? null : url.href;
  }

  /** The faults that the authors have to mend, as one text. */
  get told(): string {
    return this.faults.map(wordFault).join("\n");
  }

  close(): void {
    this.stop();
    this.#listeners.clear();
  }
}
