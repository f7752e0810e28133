import { lineAndColumn } from '../../util/parseJsonc.ts';
import { BadThemeFile, type FileColors } from './ThemeFile.ts';

/** One colour of the property list: its key and the dictionary of its components, which holds no other dictionary. */
const ENTRY = /<key>([^<]*)<\/key>\s*<dict>([\s\S]*?)<\/dict>/g;
const COMPONENT = /<key>(Red|Green|Blue) Component<\/key>\s*<(?:real|integer)>\s*([^<]*?)\s*<\/(?:real|integer)>/g;

/** iTerm2's `.itermcolors`: an XML property list of colours with components from 0 to 1, which are taken as sRGB. */
export function parseIterm(text: string): FileColors {
  if (!text.includes('<plist'))
    throw new BadThemeFile('The file is not an XML property list. Export it again from iTerm2.');
  const colors = new Map<string, string>();
  for (const found of text.matchAll(ENTRY)) {
    const [, key = '', body = ''] = found;
    if (/^(Ansi \d+|Background|Foreground|Cursor) Color$/.test(key)) {
      const { line } = lineAndColumn(text, found.index);
      colors.set(key, colorOf(body, `"${key}" (line ${line})`));
    }
  }
  const need = (key: string): string => {
    const color = colors.get(key);
    if (color === undefined) throw new BadThemeFile(`"${key}" is missing. Export the colours again from iTerm2.`);
    return color;
  };
  return {
    background: need('Background Color'),
    foreground: need('Foreground Color'),
    cursor: colors.get('Cursor Color'),
    ansi: Array.from({ length: 16 }, (_, index) => need(`Ansi ${index} Color`)),
  };
}

function colorOf(body: string, place: string): string {
  const parts = new Map([...body.matchAll(COMPONENT)].map(([, name = '', value = '']) => [name, value]));
  const hex = ['Red', 'Green', 'Blue'].map((name) => {
    const value = parts.get(name);
    const share = value === undefined || value === '' ? Number.NaN : Number(value);
    if (!(share >= 0 && share <= 1))
      throw new BadThemeFile(`${place}: ${name} Component is ${value ?? 'missing'}. Write a number from 0 to 1.`);
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${hex.join('')}`;
}
