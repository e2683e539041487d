/**
 * Dates of a table in the way their column says, as mongoimport reads it: a layout is how Go would write the second of
 * January 2006 at 15:04:05, and those of Microsoft SQL Server and of Oracle are reworded as one.
 *
 * Invariants: a text that does not follow the layout to its end, or names a day that there is not, is no date; without
 * a zone it is in UTC.
 */

/** The parts of a layout, the longer before those that they begin with. A fraction follows the seconds. */
const PARTS = new RegExp(
  [
    /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST/,
    /2006|002|_2(?!006)|0[1-6]|15|[1-5]|PM|pm/,
    /[Z-]07(?:00(?:00)?|:00(?::00)?)?/,
    /[.,](?:0+|9+)(?!\d)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

interface Fields {
  year: number;
  month: number;
  day: number;
  /** The day of the year; 0 where the layout has none. */
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  millis: number;
  /** `am` and `pm` in the hours of a clock with twelve of them. */
  half: "am" | "pm" | "";
  offsetMinutes: number;
}

/** What each part takes of a text, and what it says; a result of false refuses the text. */
interface Part {
  readonly takes: RegExp;
  readonly says?: (fields: Fields, text: string) => boolean | void;
}

const two = /^\d\d/;
const oneOrTwo = /^\d\d?/;
const number = (takes: RegExp, name: "month" | "day" | "hour" | "minute" | "second"): Part => ({
  takes,
  says: (fields, text) => void (fields[name] = Number(text)),
});
const named = (names: readonly string[], length?: number): RegExp =>
  new RegExp(`^(?:${names.map((name) => name.slice(0, length)).join("|")})`, "i");
type Says = NonNullable<Part["says"]>;
const fraction: Says = (fields, text) =>
  void (fields.millis = Math.floor(Number(`0.${text.slice(1) || "0"}`) * 1000 + 1e-6));
const month: Says = (fields, text) =>
  void (fields.month =
    1 + MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase()));
const half: Says = (fields, text) => void (fields.half = text.toLowerCase() as "am" | "pm");
const zone: Says = (fields, text) => {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?/.exec(text) ?? [];
  if (sign === undefined) return text === "Z";
  fields.offsetMinutes = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return Number(hours) < 24 && Number(minutes) < 60;
};

const KNOWN: Readonly<Record<string, Part>> = {
  "2006": { takes: /^\d{4}/, says: (fields, text) => void (fields.year = Number(text)) },
  "06": { takes: two, says: (fields, text) => void (fields.year = Number(text) + (Number(text) >= 69 ? 1900 : 2000)) },
  "01": number(two, "month"),
  "1": number(oneOrTwo, "month"),
  Jan: { takes: named(MONTHS, 3), says: month },
  January: { takes: named(MONTHS), says: month },
  Mon: { takes: named(DAYS, 3) },
  Monday: { takes: named(DAYS) },
  "02": number(two, "day"),
  "2": number(/^ ?\d\d?/, "day"),
  _2: number(/^ ?\d\d?/, "day"),
  "002": { takes: /^\d{3}/, says: (fields, text) => void (fields.yearDay = Number(text)) },
  "15": number(oneOrTwo, "hour"),
  "03": number(two, "hour"),
  "3": number(oneOrTwo, "hour"),
  "04": number(two, "minute"),
  "4": number(oneOrTwo, "minute"),
  "05": number(two, "second"),
  "5": number(oneOrTwo, "second"),
  PM: { takes: /^[AP]M/, says: half },
  pm: { takes: /^[ap]m/, says: half },
  MST: {
    takes: /^(?:GMT[+-]\d{1,2}|[A-Z]{3,5}|[+-]\d\d)/,
    says: (fields, text) => void (fields.offsetMinutes = 60 * Number(/[+-]\d+$/.exec(text)?.[0] ?? 0)),
  },
};

function partOf(part: string): Part {
  const known = KNOWN[part];
  if (known !== undefined) return known;
  if (part.startsWith("Z") || part.startsWith("-")) {
    const digits = part.slice(1).replaceAll(/\d/g, "\\d");
    return { takes: new RegExp(`^(?:${part.startsWith("Z") ? "Z|" : ""}[+-]${digits})`), says: zone };
  }
  return part.includes("0")
    ? { takes: new RegExp(`^[.,]\\d{${part.length - 1}}(?!\\d)`), says: fraction }
    : { takes: /^(?:[.,]\d+)?/, says: fraction };
}

/** The text behind a piece that has to be there as it is; null where it is not. Spaces match any number of spaces. */
function behind(text: string, literal: string): string | null {
  let rest = text;
  for (const piece of literal.match(/ +|[^ ]+/g) ?? []) {
    if (piece.startsWith(" ")) {
      if (rest !== "" && !rest.startsWith(" ")) return null;
      rest = rest.trimStart();
    } else if (rest.startsWith(piece)) rest = rest.slice(piece.length);
    else return null;
  }
  return rest;
}

/** The instant of a text that follows a layout; NaN for any other text. */
export function instantBy(layout: string, text: string): number {
  const fields: Fields = {
    year: 0,
    month: 1,
    day: 1,
    yearDay: 0,
    hour: 0,
    minute: 0,
    second: 0,
    millis: 0,
    half: "",
    offsetMinutes: 0,
  };
  let rest: string | null = text;
  let done = 0;
  const take = ({ takes, says }: Part): boolean => {
    const found = takes.exec(rest ?? "")?.[0];
    if (found === undefined) return false;
    rest = (rest ?? "").slice(found.length);
    return says?.(fields, found) !== false;
  };
  const parts = [...layout.matchAll(PARTS)];
  for (const [at, { 0: part, index }] of parts.entries()) {
    rest = behind(rest, layout.slice(done, index));
    if (rest === null || !take(partOf(part))) return NaN;
    done = index + part.length;
    // A fraction may stand in the text where the layout has none.
    const isFractionNext = /^[.,]/.test(parts[at + 1]?.[0] ?? "") && parts[at + 1]?.index === done;
    if ((part === "05" || part === "5") && !isFractionNext && /^[.,]\d/.test(rest)) take(partOf(".9"));
  }
  rest = behind(rest, layout.slice(done));
  return rest === "" ? instantOf(fields) : NaN;
}

function instantOf(fields: Fields): number {
  const { year, yearDay, minute, second, millis, offsetMinutes } = fields;
  let { hour } = fields;
  if (fields.half !== "") {
    if (hour > 12) return NaN;
    hour = (hour % 12) + (fields.half === "pm" ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return NaN;
  const [inMonth, inDay] = yearDay > 0 ? [1, yearDay] : [fields.month, fields.day];
  const date = new Date(0);
  // `Date.UTC` takes the years before 100 for those of the last century.
  date.setUTCFullYear(year, inMonth - 1, inDay);
  const isThere =
    yearDay > 0
      ? date.getUTCFullYear() === year
      : date.getUTCMonth() === inMonth - 1 && date.getUTCDate() === inDay && inMonth >= 1;
  return isThere ? date.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + millis : NaN;
}

function replacer(pairs: Readonly<Record<string, string>>): (layout: string) => string {
  const words = new RegExp(Object.keys(pairs).join("|"), "g");
  return (layout) => layout.replaceAll(words, (word) => pairs[word] as string);
}

/** A layout of Microsoft SQL Server's `FORMAT` as one of Go's. */
export const fromMicrosoft = replacer({
  dddd: "Monday",
  ddd: "Mon",
  dd: "02",
  d: "2",
  MMMM: "January",
  MMM: "Jan",
  MM: "01",
  M: "1",
  hh: "03",
  h: "3",
  HH: "15",
  H: "15",
  mm: "04",
  m: "4",
  ss: "05",
  s: "5",
  tt: "PM",
  yyyy: "2006",
  yyy: "2006",
  yy: "06",
  zzz: "-07:00",
  zz: "-07",
});

const fromUpperCase = replacer({
  AM: "PM",
  DAY: "Monday",
  DY: "Mon",
  DD: "02",
  HH12: "03",
  HH24: "15",
  HH: "03",
  MI: "04",
  MONTH: "January",
  MON: "Jan",
  MM: "01",
  SS: "05",
  TZD: "MST",
  "TZH:TZM": "-07:00",
  TZH: "-07",
  YYYY: "2006",
  YY: "06",
});
/** A layout of Oracle's `TO_DATE` as one of Go's. */
export const fromOracle = (layout: string): string => fromUpperCase(layout.toUpperCase());
