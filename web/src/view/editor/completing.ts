/**
 * The help while typing: the list of names to complete, closing brackets, the line on an operator under the pointer,
 * and the marks of wrong syntax. Fetched when the editor is first focused: a reader who only presses Run does without.
 *
 * Invariant: `@codemirror/autocomplete` is used here and in `offering.ts`, which the first completion fetches.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  startCompletion,
  type CompletionSource,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { keymap, type EditorView, type Rect } from "@codemirror/view";
import type { Language } from "../../state/settings.ts";
import { kindsLook } from "./kinds-look.ts";
import { operatorHover } from "./operator-hover.ts";
import { syntaxCheck } from "./syntax-check.ts";
import type { SyntaxFault } from "../../messages/syntax/fault.ts";

/** The extensions, with one source of names and the language of the moment; `tell` hears of mistakes in the syntax. */
export function completing(
  source: CompletionSource,
  language: () => Language,
  tell: (fault: SyntaxFault | null) => void,
): Extension {
  return [syntaxCheck(language, tell), naming(source), operatorHover(language)];
}

/** The list of names and closing brackets alone, for an editor of a part of a script. */
export function naming(source: CompletionSource): Extension {
  return [
    closeBrackets(),
    kindsLook,
    autocompletion({
      override: [source],
      positionInfo: besideOrBelow,
      // A method's template ends where a name is wanted next.
      activateOnCompletion: ({ type }) => type === "method",
    }),
    keymap.of(closeBracketsKeymap),
  ];
}

/**
 * Puts the help on a name beside the list, or, where there is no room, below or above it: never over other names.
 */
function besideOrBelow(_view: EditorView, list: Rect, option: Rect, info: Rect, space: Rect): { style: string } {
  const width = info.right - info.left;
  const height = info.bottom - info.top;
  const right = space.right - list.right;
  const left = list.left - space.left;
  if (Math.max(right, left) >= width) {
    const top = Math.max(space.top, Math.min(option.top, space.bottom - height)) - list.top;
    return { style: `top: ${top}px; ${right >= width ? "left" : "right"}: 100%` };
  }
  const shift = Math.max(space.left, Math.min(list.left, space.right - width)) - list.left;
  const below = space.bottom - list.bottom;
  return { style: `${below >= height || below > list.top - space.top ? "top" : "bottom"}: 100%; left: ${shift}px` };
}

/** Opens the list for a name whose beginning was typed before this help had come. */
export function catchUp(view: EditorView): void {
  const { head } = view.state.selection.main;
  if (view.hasFocus && /[\w$.]$/.test(view.state.sliceDoc(Math.max(0, head - 1), head))) startCompletion(view);
}

export { startCompletion };
