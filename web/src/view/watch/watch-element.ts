/** The base class of the Watch panel's views: the page's services, and the panel's words. */
import { watchMessagesOf, type WatchMessages } from "../../messages/watch/words.ts";
import { ResultElement } from "../results/result-element.ts";

export class WatchElement extends ResultElement {
  protected get w(): WatchMessages {
    return watchMessagesOf(this.store.state.settings.language);
  }
}
