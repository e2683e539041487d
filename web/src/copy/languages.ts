/** The languages a statement can be copied as. Invariant: one row each, in the order they are offered. */
import { csharp } from "./csharp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { mongosh, node } from "./javascript.ts";
import type { Translator } from "./model.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";

export const driverLanguages = {
  mongosh: { label: "mongosh", translate: mongosh },
  node: { label: "Node.js", translate: node },
  python: { label: "Python", translate: python },
  java: { label: "Java", translate: java },
  go: { label: "Go", translate: go },
  csharp: { label: "C#", translate: csharp },
  php: { label: "PHP", translate: php },
  ruby: { label: "Ruby", translate: ruby },
  rust: { label: "Rust", translate: rust },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly translate: Translator }>>;

export type DriverLanguage = keyof typeof driverLanguages;
