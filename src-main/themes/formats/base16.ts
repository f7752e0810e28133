import { readYaml } from './readYaml.ts';
import { type FileColors, isRecord, readColor, textOf } from './ThemeFile.ts';

/** Which base is which colour of a terminal. Source: base16-shell. */
const ANSI = ['00', '08', '0B', '0A', '0D', '0E', '0C', '05', '03', '08', '0B', '0A', '0D', '0E', '0C', '07'];

/** A base16 scheme: bases at the top, or under `palette` as newer builders have them. */
export function parseBase16(text: string): FileColors {
  const scheme = readYaml(text);
  const bases = isRecord(scheme.palette) ? scheme.palette : scheme;
  const base = (digits: string): string => readColor(bases[`base${digits}`], `base${digits}`);
  return {
    name: textOf(scheme.name) ?? textOf(scheme.scheme),
    background: base('00'),
    foreground: base('05'),
    cursor: base('05'),
    ansi: ANSI.map(base),
  };
}
