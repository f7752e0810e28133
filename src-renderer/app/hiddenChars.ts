import { strings } from './strings.ts';

/**
 * Invisible characters that change how text reads: bidi controls (Trojan Source, CVE-2021-42574), zero-width spaces and word joiners, invisible
 * operators, interlinear marks, fillers, and tag characters (which can carry whole hidden messages to language models). ZWJ and ZWNJ are left out,
 * because emoji and several scripts need them. C0, DEL and C1 are included for commands; output lines have none.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]+/gu;

/** Fast test: most text has none of these characters, and searching it twice would dominate the time to draw a long list. */
const MAY_HIDE = /[^\t\n\x20-\x7e]/;

/** 🏴 and the tags after it are a flag (England, Scotland, Wales), not a message. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu;

export type TextPart = { text: string; hidden?: never } | { text: string; hidden: string };

/** Splits `text` at hidden characters; a part with `hidden` names them, for example `U+202E`. The texts join to the input. */
export function splitHidden(text: string): TextPart[] {
  if (!MAY_HIDE.test(text)) return text === '' ? [] : [{ text }];
  const flags = [...text.matchAll(FLAG)].map((flag) => [flag.index, flag.index + flag[0].length] as const);
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (flags.some(([start, end]) => match.index >= start && match.index < end)) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: match[0], hidden: nameHidden(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

export function hasHidden(text: string): boolean {
  return splitHidden(text).some((part) => part.hidden !== undefined);
}

function nameHidden(run: string): string {
  const points = [...run].map((char) => char.codePointAt(0) ?? 0);
  const first = points[0] ?? 0;
  if (points.length > 1) return strings.app.hiddenTags(points.length);
  return `U+${first.toString(16).toUpperCase().padStart(4, '0')}`;
}
