/**
 * A lesson's text as templates, with the numbers that were computed.
 *
 * Invariants: tokens become elements by name and letters by text, never markup; a link leads to the course, to a page
 * beside it, or out by http, https or mail; a number that is not known is told as such.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Token, Tokens } from "marked";
import { decoded, insideOf } from "../../lessons/course/blocks.ts";
import { piecesOf, withNoun, wordFigure } from "../../lessons/course/figures.ts";
import { readLink, type Beside, type Inside } from "../../lessons/course/links.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { drawCode } from "./course-code.ts";

/** The words and figures that a text needs to be drawn. */
export interface TextContext {
  readonly c: Pick<CourseMessages, "figure.unknown">;
  readonly language: string;
  /** A number by its name; undefined while it is not known. */
  figure(name: string): unknown;
  /** How a link to another part of the course, or to a page beside it, is drawn; absent where there is neither. */
  link?(link: Inside | Beside, inside: readonly unknown[]): TemplateResult;
  /** The values that a check found, by name, for `{name}` in its hint; undefined outside hints. */
  readonly words?: Readonly<Record<string, unknown>>;
}

type Drawn = TemplateResult | string | typeof nothing;

function drawPieces(text: string, context: TextContext): readonly Drawn[] {
  return piecesOf(text, context.words !== undefined).map((piece) => {
    if (piece.kind === "text") return piece.text;
    const value = piece.kind === "word" ? context.words?.[piece.name] : context.figure(piece.name);
    const worded = value === undefined ? null : wordFigure(value, context.language);
    const said = worded === null ? null : withNoun(worded, value, piece.forms, context.language);
    return said === null
      ? html`<span class="figure waits" data-figure=${piece.name}><span aria-hidden="true">…</span><span
          class="unseen">${context.c["figure.unknown"]}</span></span>`
      : html`<span class="figure" data-figure=${piece.name}>${said}</span>`;
  });
}

/** A piece of code; a list of names that stands for all of it is a list of pieces of code. */
function drawCodeSpan(text: string, context: TextContext): Drawn {
  const [piece, ...more] = piecesOf(text, context.words !== undefined);
  const value = piece?.kind === "word" && more.length === 0 ? context.words?.[piece.name] : undefined;
  if (!Array.isArray(value)) return html`<code>${drawPieces(text, context)}</code>`;
  const names = (value as readonly unknown[]).map(String);
  let next = 0;
  const parts = new Intl.ListFormat(context.language, { type: "unit", style: "short" }).formatToParts(names);
  return html`${parts.map(({ type, value: said }) =>
    type === "element" ? html`<code class="figure" data-figure=${`${next++}`}>${said}</code>` : said,
  )}`;
}

/** Where a link of a lesson may lead. */
function safe(href: string): string | null {
  return /^(?:https?:|mailto:)/i.test(href) ? href : null;
}

/** Text inside a paragraph. */
export function drawInline(tokens: readonly Token[], context: TextContext): readonly Drawn[] {
  return tokens.map((token): Drawn => {
    const inside = (): readonly Drawn[] => drawInline(insideOf(token), context);
    switch (token.type) {
      case "strong":
        return html`<strong>${inside()}</strong>`;
      case "em":
        return html`<em>${inside()}</em>`;
      case "del":
        return html`<del>${inside()}</del>`;
      case "br":
        return html`<br />`;
      case "codespan":
        return drawCodeSpan((token as Tokens.Codespan).text, context);
      case "link": {
        const { href: written } = token as Tokens.Link;
        const link = readLink(written);
        if (link !== null) return context.link?.(link, inside()) ?? html`${inside()}`;
        const href = safe(written);
        return href === null ? html`${inside()}` : html`<a href=${href} target="_blank" rel="noopener">${inside()}</a>`;
      }
      default:
        return insideOf(token).length > 0
          ? html`${inside()}`
          : html`${drawPieces(decoded((token as { readonly text?: string }).text ?? ""), context)}`;
    }
  });
}

/** Paragraphs, lists, tables and so on. */
export function drawBlocks(tokens: readonly Token[], context: TextContext): readonly Drawn[] {
  return tokens.map((token): Drawn => {
    const inline = (): readonly Drawn[] => drawInline(insideOf(token), context);
    switch (token.type) {
      case "paragraph":
        return html`<p>${inline()}</p>`;
      case "heading":
        return html`<h4>${inline()}</h4>`;
      case "blockquote":
        return html`<blockquote>${drawBlocks(insideOf(token), context)}</blockquote>`;
      case "code": {
        const { text, lang } = token as Tokens.Code;
        const inside = /^(?:js|javascript)\b/.test(lang ?? "") ? drawCode(text) : text;
        return html`<pre class="plain" tabindex="0">${inside}</pre>`;
      }
      case "hr":
        return html`<hr />`;
      case "list": {
        const { ordered, start, items } = token as Tokens.List;
        const rows = items.map((item) => html`<li>${drawBlocks(item.tokens, context)}</li>`);
        return ordered ? html`<ol start=${start === "" ? nothing : start}>${rows}</ol>` : html`<ul>${rows}</ul>`;
      }
      case "table":
        return drawTable(token as Tokens.Table, context);
      case "space":
      case "def":
        return nothing;
      // A list's item that is one line.
      default:
        return html`${drawInline([token], context)}`;
    }
  });
}

function drawTable({ header, rows }: Tokens.Table, context: TextContext): TemplateResult {
  return html`<div class="scroller" tabindex="0" role="group"><table>
    <thead><tr>${header.map(
      (cell) => html`<th scope="col" class=${cell.align ?? ""}>${drawInline(cell.tokens, context)}</th>`,
    )}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr>${row.map(
          (cell) => html`<td class=${cell.align ?? ""}>${drawInline(cell.tokens, context)}</td>`,
        )}</tr>`,
    )}</tbody></table></div>`;
}
