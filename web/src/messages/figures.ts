/**
 * Numbers, times and sizes as both languages write them.
 *
 * Invariant: small and whole, since snippets in other pages need it without the page's tables.
 */
import type { Language } from "../state/settings.ts";

export interface Figures {
  readonly language: Language;
  /** `1,234`. */
  number(value: number): string;
  /** Milliseconds in the unit a reader would use. */
  duration(millis: number): string;
  /** Bytes in KiB or MiB, as `12.3 KiB`. */
  size(bytes: number): string;
}

const units = {
  en: { ms: "ms", s: "s", min: "min", h: "h", d: "d" },
  "zh-Hans": { ms: "毫秒", s: "秒", min: "分钟", h: "小时", d: "天" },
} as const;

/**
 * A number as both languages write it. `Intl` would, too, but making its first format takes a tenth of the page's whole
 * start.
 */
export function wordNumber(value: number, digits: 0 | 1): string {
  if (!Number.isFinite(value)) return String(value);
  const scale = digits === 0 ? 1 : 10;
  const scaled = Math.round(Math.abs(value) * scale);
  const whole = String(Math.floor(scaled / scale)).replace(/\B(?=(?:\d{3})+$)/g, ",");
  const fraction = scaled % scale;
  return `${value < 0 && scaled > 0 ? "-" : ""}${whole}${fraction === 0 ? "" : `.${fraction}`}`;
}

const whole = (value: number): string => wordNumber(value, 0);
const short = (value: number): string => wordNumber(value, Math.abs(value) < 10 ? 1 : 0);

/** Bytes in KiB or MiB, as `12 KiB`. */
export function wordSize(bytes: number): string {
  if (bytes < 1024) return `${whole(bytes)} B`;
  if (bytes < 1024 * 1024) return `${short(bytes / 1024)} KiB`;
  if (bytes < 1024 * 1024 * 1024) return `${short(bytes / (1024 * 1024))} MiB`;
  return `${short(bytes / (1024 * 1024 * 1024))} GiB`;
}

/** How a language writes them. */
export function figuresOf(language: Language): Figures {
  const unit = units[language];
  return {
    language,
    number: whole,
    duration(millis) {
      if (millis < 1000) return `${short(millis)} ${unit.ms}`;
      const seconds = millis / 1000;
      if (seconds < 120) return `${short(seconds)} ${unit.s}`;
      if (seconds < 7200) return `${short(seconds / 60)} ${unit.min}`;
      if (seconds < 172_800) return `${short(seconds / 3600)} ${unit.h}`;
      return `${short(seconds / 86_400)} ${unit.d}`;
    },
    size: wordSize,
  };
}
