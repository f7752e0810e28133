import type { SgrColor, StyledSpan } from '../../../contract/block.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';

/** Styles by which an agent's text is read. */
export interface Looks {
  /** Whether a span with this foreground is inline code; `span` is for agents that style code with more than a colour. */
  readonly isCode: (fg: SgrColor | undefined, span?: StyledSpan) => boolean;
  /** Foreground that only highlighted code has. */
  readonly isSyntax: (fg: SgrColor | undefined) => boolean;
  /** Whether rows between blank ones are code. If absent, one span with a colour of `isSyntax` is enough. */
  readonly isCodeBlock?: (rows: readonly FrameRow[]) => boolean;
  /** Heading level of a line without neighbours; 0 for other lines. If absent, bold, italics and underline decide. */
  readonly headingLevel?: (spans: readonly StyledSpan[]) => number;
  /** The agent draws every quote in italics, so these are not emphasis. */
  readonly slantsQuotes?: boolean;
}

/** Spans as Markdown: code, bold, italic, struck and linked text marked, spaces kept outside of the marks. */
export function inlineMarkdown(spans: readonly StyledSpan[], looks: Looks): string {
  return joinedLooks(spans)
    .map((span) => marked(span, looks))
    .join('');
}

/**
 * Joins spans of one style, also across a single blank without it: programs leave blanks unstyled where they skip them or redraw only
 * changes.
 */
export function joinedLooks(spans: readonly StyledSpan[]): StyledSpan[] {
  const out: StyledSpan[] = [];
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at];
    const last = out.at(-1);
    const next = spans[at + 1];
    if (!span) continue;
    const isBridge = last && next && span.text.trim() === '' && span.text.length === 1 && isOneLook(last, next);
    if (last && isOneLook(last, span)) out[out.length - 1] = { ...last, text: last.text + span.text };
    else if (isBridge) {
      out[out.length - 1] = { ...last, text: last.text + span.text + next.text };
      at += 1;
    } else out.push(span);
  }
  return out;
}

function isOneLook(one: StyledSpan, other: StyledSpan): boolean {
  return (
    one.fg === other.fg &&
    one.bold === other.bold &&
    one.dim === other.dim &&
    one.italic === other.italic &&
    one.underline === other.underline &&
    one.strike === other.strike &&
    one.href === other.href
  );
}

function marked(span: StyledSpan, looks: Looks): string {
  const [, before = '', core = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(span.text) ?? [];
  if (core === '') return span.text;
  let text = core;
  if (looks.isCode(span.fg, span)) text = core.includes('`') ? `\`\` ${core} \`\`` : `\`${core}\``;
  if (span.strike) text = `~~${text}~~`;
  if (span.italic) text = `*${text}*`;
  if (span.bold) text = `**${text}**`;
  if (span.href && /^https?:/.test(span.href) && span.href !== core) text = `[${text}](${span.href})`;
  return before + text + after;
}
