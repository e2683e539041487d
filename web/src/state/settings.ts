/**
 * A reader's settings, found again after a reload: language, colours, and how scripts run and are shown.
 *
 * Invariants: pure; anything read from storage is checked field by field, so an old or foreign value never
 * breaks the page. `public/theme.js` reads `theme` from the same JSON before the first paint.
 */

export const languages = ["en", "zh-Hans"] as const;
export type Language = (typeof languages)[number];

/** Each language's name in itself, whatever language the page speaks. */
export const languageNames: Readonly<Record<Language, string>> = { en: "English", "zh-Hans": "简体中文" };

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** How a result is drawn: a collapsible tree, a table, or text to copy. */
export const resultViews = ["tree", "table", "text"] as const;
export type ResultView = (typeof resultViews)[number];
/** A view of one result: those that only some results have are no setting. */
export type LeafView = ResultView | "plan" | "map";

/** Where the results are: beside a wide page's script and below a narrow one's, or always the one or the other. */
export const layouts = ["auto", "beside", "below"] as const;
export type Layout = (typeof layouts)[number];

/** Which wording text results use: mongosh's, or relaxed or canonical Extended JSON. */
export const textFormats = ["shell", "relaxed", "canonical"] as const;
export type TextFormat = (typeof textFormats)[number];

export interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly resultView: ResultView;
  readonly textFormat: TextFormat;
  /** Documents in a batch; the shell's default is 20. */
  readonly batchSize: number;
  /** The script's letters, in sixteenths of the browser's own size. */
  readonly fontSize: number;
  /** Store every plain number as a double, as the legacy shell did. */
  readonly numbersAsDouble: boolean;
  /** Explain each find that is shown, so that its plan and figures stand beside it. */
  readonly explainResults: boolean;
  /** The part of the width that the script takes, from 0.2 to 0.8. */
  readonly split: number;
  readonly layout: Layout;
  /** The width of the data in pixels, from 150 to 480. */
  readonly aside: number;
  readonly asideOpen: boolean;
}

export const batchSizes = [20, 50, 100, 500] as const;
export const fontSizes = [11, 12, 13, 14, 15, 16, 18, 20, 24, 28] as const;

/** The size of letters that follows another, larger or smaller; the same at the end of the row. */
export function nextFontSize(size: number, by: 1 | -1): number {
  const larger = by > 0;
  const row = larger ? fontSizes : fontSizes.toReversed();
  return row.find((one) => (larger ? one > size : one < size)) ?? size;
}

/** The settings of a first visit. `preferred` are the browser's languages, best first. */
export function defaultSettings(preferred: readonly string[]): Settings {
  const first = preferred.find((tag) => /^(en|zh)\b/i.test(tag));
  return {
    language: first !== undefined && /^zh/i.test(first) ? "zh-Hans" : "en",
    theme: "system",
    resultView: "tree",
    textFormat: "shell",
    batchSize: 20,
    fontSize: 14,
    numbersAsDouble: false,
    explainResults: true,
    split: 0.5,
    layout: "auto",
    aside: 264,
    asideOpen: true,
  };
}

/** Reads stored settings; a setting that is missing or not allowed falls back to `defaults`. */
export function parseSettings(stored: string | null, defaults: Settings): Settings {
  let raw: unknown;
  try {
    raw = JSON.parse(stored ?? "{}");
  } catch {
    return defaults;
  }
  if (typeof raw !== "object" || raw === null) return defaults;
  const found = raw as Partial<Record<keyof Settings, unknown>>;
  const oneOf = <T>(value: unknown, allowed: readonly T[], fallback: T): T =>
    allowed.includes(value as T) ? (value as T) : fallback;
  const flag = (value: unknown, fallback: boolean): boolean => (typeof value === "boolean" ? value : fallback);
  return {
    language: oneOf(found.language, languages, defaults.language),
    theme: oneOf(found.theme, themes, defaults.theme),
    resultView: oneOf(found.resultView, resultViews, defaults.resultView),
    textFormat: oneOf(found.textFormat, textFormats, defaults.textFormat),
    batchSize: oneOf<number>(found.batchSize, batchSizes, defaults.batchSize),
    fontSize: oneOf<number>(found.fontSize, fontSizes, defaults.fontSize),
    numbersAsDouble: flag(found.numbersAsDouble, defaults.numbersAsDouble),
    explainResults: flag(found.explainResults, defaults.explainResults),
    split: typeof found.split === "number" && Number.isFinite(found.split) ? clampSplit(found.split) : defaults.split,
    layout: oneOf(found.layout, layouts, defaults.layout),
    aside: typeof found.aside === "number" && Number.isFinite(found.aside) ? clampAside(found.aside) : defaults.aside,
    asideOpen: flag(found.asideOpen, defaults.asideOpen),
  };
}

export const narrowestAside = 150;
export const widestAside = 480;

export function clampAside(width: number): number {
  return Math.min(widestAside, Math.max(narrowestAside, Math.round(width)));
}

export function clampSplit(split: number): number {
  return Math.min(0.8, Math.max(0.2, split));
}
