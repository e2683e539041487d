/**
 * A reader's wishes in the page's address, besides the deployment: `?db=`, `?lang=`, `?theme=`, and `#example=`.
 *
 * Invariants: pure; a parameter that is not understood is no wish. A wish holds for the visit and is not kept: it is
 * over when the reader chooses otherwise, and the address then forgets it.
 */
import { languages, themes, type Language, type Settings, type Theme } from "./settings.ts";

export interface Wishes {
  readonly theme: Theme | null;
  readonly language: Language | null;
  readonly database: string | null;
}

/** The parameters by the wish that each one is. */
const parameters = { theme: "theme", language: "lang", database: "db" } as const satisfies Record<keyof Wishes, string>;

/** The wishes in an address's query, such as `?lang=zh`. */
export function wishesOf(search: string): Wishes {
  const query = new URLSearchParams(search);
  const tag = query.get(parameters.language) ?? "";
  const database = query.get(parameters.database) ?? "";
  return {
    theme: themes.find((one) => one === query.get(parameters.theme)) ?? null,
    language:
      languages.find((one) => one === (/^zh\b/i.test(tag) ? "zh-Hans" : tag.split("-", 1)[0]?.toLowerCase())) ?? null,
    database: /^[^/\\. "$*<>:|?\0]{1,63}$/.test(database) ? database : null,
  };
}

/** Settings as an address wishes them. */
export function dressed(settings: Settings, { theme, language }: Wishes): Settings {
  return { ...settings, theme: theme ?? settings.theme, language: language ?? settings.language };
}

/** The settings to keep: the reader's own where the address's wishes stand in their place. */
export function undressed(settings: Settings, { theme, language }: Wishes, own: Settings): Settings {
  return {
    ...settings,
    theme: settings.theme === theme ? own.theme : settings.theme,
    language: settings.language === language ? own.language : settings.language,
  };
}

/** An address without some of its wishes. */
export function withoutWishes(address: string, over: readonly (keyof Wishes)[]): string {
  const url = new URL(address);
  for (const wish of over) url.searchParams.delete(parameters[wish]);
  return url.href;
}

/** An address of another page of the site, or of another deployment, with the language and colours of this visit. */
export function carrying(address: string, search: string): string {
  const here = new URLSearchParams(search);
  const [, path = "", query = "", hash = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(address) ?? [];
  const parts = new URLSearchParams(query);
  for (const wish of ["theme", "language"] as const) {
    const name = parameters[wish];
    const value = here.get(name);
    if (value !== null && !parts.has(name)) parts.set(name, value);
  }
  return `${path}${parts.size === 0 ? "" : `?${parts}`}${hash}`;
}

/** The example which a fragment names, or null. */
export function exampleOf(hash: string): string | null {
  return /^#example=([\w-]{1,60})$/.exec(hash)?.[1] ?? null;
}
