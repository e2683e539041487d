/**
 * The shapes of a model's scene, for the sheet on which boxes are moved and for the drawing of a model's card.
 *
 * Invariants: pure templates; everything stands where the scene has it.
 */
import { nothing, svg, type SVGTemplateResult } from "lit";
import { headOf, measures, type SceneBox, type SceneLine, type SceneRow } from "../../state/model-view/scene.ts";

/** All of a box but its frame: head, caption and fields. */
export function drawInside(box: SceneBox): SVGTemplateResult {
  const { width, rows } = box;
  const last = measures.head + rows.length * measures.row;
  return svg`<path class="head" d=${headOf(width)}></path>
    <path class="beneath" d="M.5 ${measures.head - 6}H${width - 0.5}"></path>
    <text class="title" x=${measures.pad} y="19">${box.title}<title>${box.name}</title></text>
    <text class="caption" x=${measures.pad} y="34">${box.caption}</text>
    ${rows.map((row) => drawRow(row, box))}
    ${
      box.more === "" ? nothing : svg`<text class="more" data-more x=${measures.pad} y=${last + 14}>${box.more}</text>`
    }`;
}

export function drawFrame({ width, height }: SceneBox): SVGTemplateResult {
  return svg`<rect class="frame" width=${width} height=${height} rx="4"></rect>`;
}

function drawRow(row: SceneRow, { width, rows }: SceneBox): SVGTemplateResult {
  const hasShares = rows.some(({ share }) => share !== "");
  const x = measures.pad + row.indent;
  const right = width - measures.pad;
  const y = row.y + 14;
  return svg`${
    row.indent === 0 ? nothing : svg`<path class="guide" d="M${x - 8} ${row.y}v${measures.row}"></path>`
  }<text class="row ${row.isKey ? "key" : ""}" x=${x} y=${y}>${row.name}<title>${row.path}</title></text>
    <text class="type ${row.family}" x=${right - (hasShares ? measures.share : 0)} y=${y}
      text-anchor="end">${row.type}</text>${
        row.share === "" ? nothing : svg`<text class="share" x=${right} y=${y} text-anchor="end">${row.share}</text>`
      }`;
}

/** A line and the marks at its ends. */
export function drawWay({ d, ends }: SceneLine): SVGTemplateResult {
  return svg`<path class="way" d=${d}></path><path class="ends" d=${ends}></path>`;
}

/** A line's name and figures; null where it has neither. */
export function drawLabel({ label, name, figures }: SceneLine): SVGTemplateResult | null {
  if (name === "" && figures === "") return null;
  const both = name !== "" && figures !== "";
  const { x, y, width } = label;
  const height = both ? 36 : 20;
  return svg`<rect class="label" x=${x - width / 2} y=${y - height / 2} width=${width} height=${height} rx="3"></rect>
    ${
      name === ""
        ? nothing
        : svg`<text class="name" text-anchor="middle" x=${x} y=${y + (both ? -4 : 4)}>${name}</text>`
    }
    <text class="figures" text-anchor="middle" x=${x} y=${y + (both ? 12 : 4)}>${figures}</text>`;
}
