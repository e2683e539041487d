/** The page as the host of the drawings in `xray/`. */
import type { Words } from "../messages/messages.ts";
import type { Controller } from "../state/controller.ts";
import type { XrayHost } from "../xray/xray-element.ts";

let made: XrayHost | null = null;

/** The page as host; the same object as long as the words are the same, so that it causes no drawing anew. */
export function xrayHost(controller: Controller, words: Words): XrayHost {
  if (made?.words !== words) made = { changer: controller, words, wrote: () => controller.wrote() };
  return made;
}
