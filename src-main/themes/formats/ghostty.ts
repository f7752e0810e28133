import { BadThemeFile, type FileColors, readColor, readCursor } from './ThemeFile.ts';

const PAIR = /^\s*([a-z-]+)\s*=\s*(.*?)\s*$/;
const ENTRY = /^(\d+)\s*=\s*(.*)$/;

/** A theme of Ghostty, or its config: lines of `key = value`, of which only the colours are read. */
export function parseGhostty(text: string): FileColors {
  const colors = new Map<string, string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [, key, value = ''] = PAIR.exec(line) ?? [];
    const place = `${key} (line ${at + 1})`;
    if (key === 'palette') takeEntry(colors, value, place);
    else if (key === 'background' || key === 'foreground') colors.set(key, readColor(value, place));
    else if (key === 'cursor-color') {
      const cursor = readCursor(value, place);
      if (cursor !== undefined) colors.set(key, cursor);
    }
  }
  const need = (key: string): string => {
    const color = colors.get(key);
    if (color === undefined)
      throw new BadThemeFile(`"${key}" is missing. Add a line such as: ${key.replace('=', ' = ')} = #1a2b3c`);
    return color;
  };
  return {
    background: need('background'),
    foreground: need('foreground'),
    cursor: colors.get('cursor-color'),
    ansi: Array.from({ length: 16 }, (_, index) => need(`palette=${index}`)),
  };
}

/** `palette = 4=#7aa2f7`; entries above 15 are colours that Hansard does not change. */
function takeEntry(colors: Map<string, string>, value: string, place: string): void {
  const [, index, color] = ENTRY.exec(value) ?? [];
  if (index === undefined) throw new BadThemeFile(`${place} has no index. Write it like palette = 4=#7aa2f7.`);
  if (Number(index) < 16) colors.set(`palette=${Number(index)}`, readColor(color, place));
}
