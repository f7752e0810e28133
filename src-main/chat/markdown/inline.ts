import type { SgrColor, StyledSpan } from '../../contract/block.ts';

/** Looks by which an agent's text is read. */
export interface Looks {
  /** Foreground of inline code, null when the agent gives it none of its own. */
  readonly isCode: (fg: SgrColor | undefined) => boolean;
  /** Foreground that only highlighted code has. */
  readonly isSyntax: (fg: SgrColor | undefined) => boolean;
}

/** Spans as Markdown: code, bold, italic, struck and linked text marked, spaces kept outside of the marks. */
export function inlineMarkdown(spans: readonly StyledSpan[], looks: Looks): string {
  return spans.map((span) => marked(span, looks)).join('');
}

function marked(span: StyledSpan, looks: Looks): string {
  const [, before = '', core = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(span.text) ?? [];
  if (core === '') return span.text;
  let text = core;
  if (looks.isCode(span.fg)) text = core.includes('`') ? `\`\` ${core} \`\`` : `\`${core}\``;
  if (span.strike) text = `~~${text}~~`;
  if (span.italic) text = `*${text}*`;
  if (span.bold) text = `**${text}**`;
  if (span.href && /^https?:/.test(span.href) && span.href !== core) text = `[${text}](${span.href})`;
  return before + text + after;
}
