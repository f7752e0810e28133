import type { SavedCommand } from '../../src-main/contract/savedCommand.ts';

/** A saved command, and whose list it is in. */
export interface ListedCommand extends SavedCommand {
  from: 'own' | 'project';
}

/** The text after a `/` at the start of an otherwise empty line; null for other text, for example a path with a second `/`. */
export function slashQuery(text: string): string | null {
  return /^\/([^/\n]{0,200})$/.exec(text)?.[1] ?? null;
}

/** Commands that have every word of `query` in name, tags, description or text: those whose name begins so first, then by name, then the others. */
export function matchSaved<T extends SavedCommand>(commands: readonly T[], query: string): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = commands.flatMap((command) => {
    const name = command.name.toLowerCase();
    const all = [name, ...(command.tags ?? []), command.description ?? '', command.command].join('\n').toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const rank = words.every((word) => name.includes(word)) ? (name.startsWith(words[0] ?? '') ? 0 : 1) : 2;
    return [{ command, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ command }) => command);
}

/** Commands for other shells are no help here. `shell` is a path or a name. */
export function fitsShell({ shells }: SavedCommand, shell: string): boolean {
  const name = shell
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
  return shells === undefined || shells.length === 0 || shells.some((one) => one.toLowerCase() === name);
}
