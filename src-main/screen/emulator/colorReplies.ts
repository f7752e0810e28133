import type { TerminalColors } from '../../contract/screen/frame.ts';

const NAMES: Readonly<Record<number, keyof TerminalColors>> = { 10: 'foreground', 11: 'background', 12: 'cursor' };

/**
 * Answers OSC 10, 11 and 12: each `?` in `data` asks for a colour, further fields for the next ones. Unknown colours get no
 * answer. Colours that output sets only concern the window and change no answer.
 */
export function colorReplies(colors: TerminalColors | undefined, ident: number, data: string): string[] {
  return data.split(';', 3).flatMap((field, index) => {
    const name = NAMES[ident + index];
    const color = name && colors && x11Color(colors[name]);
    return field === '?' && color ? [`\x1b]${ident + index};rgb:${color}\x1b\\`] : [];
  });
}

/** Converts `#rrggbb` to `rrrr/gggg/bbbb`; undefined for another format. */
function x11Color(hex: string): string | undefined {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(hex.toLowerCase());
  return parts
    ?.slice(1)
    .map((part) => part.repeat(2))
    .join('/');
}
