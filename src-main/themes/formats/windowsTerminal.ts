import { lineAndColumn, parseJsonc } from '../../util/parseJsonc.ts';
import { BadThemeFile, EIGHT, type FileColors, isRecord, readColor, readCursor, textOf } from './ThemeFile.ts';

/** A colour scheme of Windows Terminal: the object of `schemes` in its settings.json, alone or in a file with one scheme. */
export function parseWindowsTerminal(text: string): FileColors {
  const parsed = parseJsonc(text);
  if (!parsed.ok) {
    const { line, column } = lineAndColumn(text, parsed.offset);
    throw new BadThemeFile(`The JSON is malformed in line ${line}, column ${column}: ${parsed.reason}.`);
  }
  const scheme = onlyScheme(parsed.root.value);
  const color = (key: string): string => readColor(scheme[key], `"${key}"`);
  const names = EIGHT.map((name) => (name === 'magenta' ? 'purple' : name));
  const bright = names.map((name) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  return {
    name: textOf(scheme.name),
    background: color('background'),
    foreground: color('foreground'),
    cursor: readCursor(scheme.cursorColor, '"cursorColor"'),
    ansi: [...names, ...bright].map(color),
  };
}

function onlyScheme(value: unknown): Record<string, unknown> {
  const schemes = isRecord(value) && Array.isArray(value.schemes) ? value.schemes : [value];
  if (schemes.length !== 1)
    throw new BadThemeFile(`The file holds ${schemes.length} schemes. Keep one object of "schemes" in the file.`);
  const [scheme] = schemes;
  if (!isRecord(scheme))
    throw new BadThemeFile('The file is not a colour scheme. Copy one object of "schemes" into it.');
  return scheme;
}
