import { parse, TomlError } from 'smol-toml';
import { readYaml } from './readYaml.ts';
import { BadThemeFile, EIGHT, type FileColors, isRecord, readColor, readCursor } from './ThemeFile.ts';

/** Alacritty's configuration since 0.13. */
export function parseAlacrittyToml(text: string): FileColors {
  try {
    return fromConfig(parse(text));
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [reason = 'syntax error'] = thrown.message.split('\n');
    throw new BadThemeFile(`The TOML is malformed in line ${thrown.line}: ${reason}.`);
  }
}

/** Alacritty's configuration up to 0.12. */
export function parseAlacrittyYaml(text: string): FileColors {
  return fromConfig(readYaml(text));
}

function fromConfig(config: unknown): FileColors {
  const colors = section(config, 'colors');
  const primary = section(colors, 'primary');
  const normal = section(colors, 'normal');
  const bright = section(colors, 'bright');
  const eight = (from: Record<string, unknown>, of: string) =>
    EIGHT.map((name) => readColor(from[name], `colors.${of}.${name}`));
  const plain = eight(normal, 'normal');
  return {
    background: readColor(primary.background, 'colors.primary.background'),
    foreground: readColor(primary.foreground, 'colors.primary.foreground'),
    cursor: readCursor(section(colors, 'cursor').cursor, 'colors.cursor.cursor'),
    // Alacritty draws plain colours where a theme has no bright ones.
    ansi: [...plain, ...(Object.keys(bright).length === 0 ? plain : eight(bright, 'bright'))],
  };
}

function section(value: unknown, key: string): Record<string, unknown> {
  const found = isRecord(value) ? value[key] : undefined;
  return isRecord(found) ? found : {};
}
