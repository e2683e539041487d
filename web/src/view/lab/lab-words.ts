/**
 * How a lab's figures and names are worded in the reader's language.
 *
 * Invariant: pure; a figure that is not known is null, never zero.
 */
import { wordFigure } from "../../lessons/course/figures.ts";
import { isBytes, valueOf, type DesignFault, type LabMeasure } from "../../lessons/lab/measure.ts";
import type { LabScripts } from "../../lessons/lab/parse.ts";
import { readFigure, type LabText } from "../../lessons/lab/text.ts";
import type { LabMessages } from "../../messages/lab/words.ts";
import { wordSize } from "../../messages/figures.ts";

/** A figure in words: bytes with their unit, all else as a number. */
export function wordCost(name: string, value: number, language: string): string {
  return isBytes(name) ? wordSize(value) : (wordFigure(value, language) ?? String(value));
}

/** A figure that a text names; undefined while it is not known. */
export function figureOfText(
  figure: string,
  scripts: LabScripts,
  measure: LabMeasure | null,
  language: string,
): string | undefined {
  const read = readFigure(figure, scripts);
  if (typeof read === "string" || measure === null) return undefined;
  const value = valueOf(read.named, measure);
  if (value === null) return undefined;
  const worded = read.isBytes ? wordSize(value) : (wordFigure(value, language) ?? String(value));
  return read.units === null ? worded : `${worded} ${read.units[value === 1 ? 0 : 1]}`;
}

/** A script's fault: the page's own sentence where it found the fault, else the error's text. */
export const wordFault = ({ own, error }: DesignFault, l: LabMessages): string =>
  own === null ? error.text : l[`fault.${own}`];

/** A design's name; its id where the text has none. */
export const designName = (text: LabText | null, id: string): string => text?.designs.get(id)?.title ?? id;

/** An operation's name; its id where the text has none. */
export const operationName = (text: LabText | null, id: string): string => text?.operations.get(id)?.title ?? id;
