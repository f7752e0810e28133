import type { StyledSpan } from '../../../src-main/contract/block.ts';
import { formatHex } from '../../../src-main/contract/screen/color.ts';
import type { Palette } from '../../../src-main/contract/screen/palette.ts';
import { spanColors } from '../../../src-main/contract/screen/spanColors.ts';

type Look = Omit<StyledSpan, 'text' | 'href'>;

/** Inline style of a span; '' for plain output. The palette's own colours are legible without adjustment. */
export function spanStyle(span: Look, palette: Palette): string {
  const rules = [...colorRules(span, palette)];
  if (span.bold) rules.push('font-weight:var(--term-bold)');
  if (span.italic) rules.push('font-style:italic');
  const lines = [span.underline ? 'underline' : '', span.strike ? 'line-through' : ''].filter(Boolean).join(' ');
  if (lines) rules.push(`text-decoration:${lines}`);
  return rules.join(';');
}

function colorRules(span: Look, palette: Palette): string[] {
  const hasColor = span.fg !== undefined || span.bg !== undefined || span.inverse || span.dim;
  if (!hasColor) return span.bold ? [`color:${palette.strong}`] : [];
  const { ink, ground } = spanColors(span, palette);
  return [`color:${formatHex(ink)}`, ...(ground === null ? [] : [`background:${formatHex(ground)}`])];
}
