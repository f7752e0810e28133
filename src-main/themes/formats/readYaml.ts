import { parseDocument } from 'yaml';
import { BadThemeFile, isRecord } from './ThemeFile.ts';

/** A mapping with every value as its text: `0x1d1f21` and `000000` are colours here, and no numbers. */
export function readYaml(text: string): Record<string, unknown> {
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: true });
  const [error] = document.errors;
  if (error) {
    const [reason = error.code] = error.message.split('\n');
    throw new BadThemeFile(
      `The YAML is malformed in line ${error.linePos?.[0].line ?? 1}: ${reason.replace(/ at line.*$/, '')}.`,
    );
  }
  const value: unknown = document.toJS({ maxAliasCount: 10 });
  if (!isRecord(value)) throw new BadThemeFile('The file has no keys. Choose a theme of Alacritty or base16.');
  return value;
}
