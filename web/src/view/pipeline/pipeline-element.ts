/** The base class of the pipeline's cards and their parts: the page's services and the cards' own words. */
import { pipelineMessagesOf, type PipelineMessages } from "../../messages/pipeline/words.ts";
import { PageElement } from "../element.ts";

export class PipelineElement extends PageElement {
  protected get w(): PipelineMessages {
    return pipelineMessagesOf(this.store.state.settings.language);
  }
}
