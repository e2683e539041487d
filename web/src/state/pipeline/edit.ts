/**
 * A pipeline of a script as its stages, and each change of them as one change of the script's text.
 *
 * Invariants: pure. Stages that are not changed keep their text to the letter, comments and layout included. A disabled
 * stage is a comment at its place, so that the script means the same outside this page, too. Every change leaves an
 * array that can be read again as the stages it was made of.
 */

/** One stage as it stands in the script. */
export interface StageText {
  /** The stage's own text, without the signs of a comment. */
  readonly text: string;
  readonly enabled: boolean;
  /** The stage's characters in the script: the text itself, or the comment around it. */
  readonly raw: string;
  /** From its end to the comma behind it, the comma included; empty without one. */
  readonly tail: string;
  /** From there to the next stage, or to the closing bracket: spaces and the reader's own comments. */
  readonly after: string;
}

/** A pipeline's array in a script. */
export interface PipelineText {
  /** Where the array's inside begins and ends in the script: behind `[`, and before `]`. */
  readonly from: number;
  readonly to: number;
  readonly database: string;
  /** Null for the aggregation of a database; undefined where only a run can tell. */
  readonly collection: string | null | undefined;
  /** From the opening bracket to the first stage: spaces and the reader's own comments. */
  readonly before: string;
  readonly stages: readonly StageText[];
  /** The spaces at the beginning of the line on which the array begins. */
  readonly indent: string;
}

/** A change of a script's text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const isBlank = (text: string): boolean => text.trim() === "";

/** A stage's text as it stands when it is enabled or not. */
function written(text: string, enabled: boolean): string {
  if (enabled) return text;
  if (!text.includes("*/")) return `/* ${text}, */`;
  return `${text},`
    .split("\n")
    .map((line) => `// ${line}`)
    .join("\n");
}

const endsLine = (raw: string): boolean => /(^|\n)[ \t]*\/\/[^\n]*$/.test(raw);

/** The array's inside. */
function render({ before, stages }: PipelineText): string {
  const last = stages.findLastIndex(({ enabled }) => enabled);
  const parts = stages.map(({ raw, enabled, tail, after }, index) => {
    const comma = enabled && tail === "" && index < last ? "," : tail;
    // A stage disabled by `//` must end its line, else the comment would swallow the text after it.
    const gap = !enabled && endsLine(raw) && !/^[ \t]*\r?\n/.test(after) ? `\n${after}` : after;
    return raw + comma + gap;
  });
  return before + parts.join("");
}

/** The one change which makes the script hold `next` in the place of `now`; null where nothing changes. */
function changeTo(now: PipelineText, next: Pick<PipelineText, "before" | "stages">): TextChange | null {
  const [old, text] = [render(now), render({ ...now, ...next })];
  if (old === text) return null;
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { from: now.from + start, to: now.to - end, insert: text.slice(start, text.length - end) };
}

const withStage = (now: PipelineText, at: number, change: Partial<StageText>): TextChange | null =>
  changeTo(now, {
    before: now.before,
    stages: now.stages.map((stage, index) => {
      if (index !== at) return stage;
      const next = { ...stage, ...change };
      return { ...next, raw: written(next.text, next.enabled) };
    }),
  });

/** Gives a stage another text. */
export function editStage(now: PipelineText, at: number, text: string): TextChange | null {
  return now.stages[at]?.text === text ? null : withStage(now, at, { text });
}

/** Makes a stage a comment, or a comment a stage. */
export function enableStage(now: PipelineText, at: number, enabled: boolean): TextChange | null {
  const stage = now.stages[at];
  if (stage === undefined || stage.enabled === enabled) return null;
  // The comma goes into the comment, and comes out of it.
  return withStage(now, at, { enabled, tail: "" });
}

/** The spaces between two stages of this pipeline, by which a new stage is laid out as the others are. */
function separator({ stages, before, indent }: PipelineText): string {
  const between = stages.slice(0, -1).find(({ after }) => isBlank(after) && after !== "")?.after;
  if (between !== undefined) return between;
  if (stages.length === 0) return `\n${indent}  `;
  return isBlank(before) && before.includes("\n") ? before : " ";
}

/** Puts a stage at a place: 0 before the first, the number of stages behind the last. */
export function addStage(now: PipelineText, at: number, text: string): TextChange | null {
  const { stages } = now;
  const made = (after: string, tail: string): StageText => ({ text, enabled: true, raw: text, tail, after });
  if (stages.length === 0) {
    const open = isBlank(now.before) ? separator(now) : `${now.before.trimEnd()}${separator(now)}`;
    return changeTo(now, { before: open, stages: [made(`\n${now.indent}`, "")] });
  }
  if (at < stages.length)
    return changeTo(now, {
      before: now.before,
      stages: [...stages.slice(0, at), made(separator(now), ","), ...stages.slice(at)],
    });
  const last = stages.at(-1) as StageText;
  return changeTo(now, {
    before: now.before,
    stages: [...stages.slice(0, -1), { ...last, after: separator(now) }, made(last.after, last.tail)],
  });
}

/** Puts the same stage behind a stage. */
export function duplicateStage(now: PipelineText, at: number): TextChange | null {
  const stage = now.stages[at];
  return stage === undefined ? null : addStage(now, at + 1, stage.text);
}

/** Takes a stage out; the reader's own comments around it stay. */
export function removeStage(now: PipelineText, at: number): TextChange | null {
  const stage = now.stages[at];
  if (stage === undefined) return null;
  const kept = now.stages.filter((_one, index) => index !== at);
  const isLast = at === now.stages.length - 1;
  const join = (gap: string): string => {
    if (isLast) return isBlank(gap) ? stage.after : gap.trimEnd() + stage.after;
    return isBlank(stage.after) ? gap : gap + stage.after.trimStart();
  };
  if (at === 0) {
    const before = kept.length === 0 && isBlank(now.before + stage.after) ? "" : join(now.before);
    return changeTo(now, { before, stages: kept });
  }
  const stages = kept.map((one, index) => (index === at - 1 ? { ...one, after: join(one.after) } : one));
  return changeTo(now, { before: now.before, stages: tidied(now, stages) });
}

/** Moves a stage to another place; spaces and comments between the stages stay where they are. */
export function moveStage(now: PipelineText, at: number, to: number): TextChange | null {
  const stage = now.stages[at];
  const place = Math.max(0, Math.min(now.stages.length - 1, to));
  if (stage === undefined || place === at) return null;
  const order = now.stages.filter((_one, index) => index !== at);
  order.splice(place, 0, stage);
  const gaps = now.stages.map(({ after }) => after);
  return changeTo(now, {
    before: now.before,
    stages: tidied(
      now,
      order.map((one, index) => ({ ...one, after: gaps[index] ?? "" })),
    ),
  });
}

/** The last stage has a comma behind it only where it had one before. */
function tidied(now: PipelineText, stages: readonly StageText[]): readonly StageText[] {
  const lastOf = (all: readonly StageText[]): number => all.findLastIndex(({ enabled }) => enabled);
  const had = now.stages[lastOf(now.stages)]?.tail ?? "";
  const last = lastOf(stages);
  return stages.map((stage, index) => {
    if (!stage.enabled) return stage;
    if (index === last) return had === "" && stage.tail.trim() === "," ? { ...stage, tail: "" } : stage;
    return stage;
  });
}
