import { parseCommand } from './parseCommand.ts';

/**
 * Words that the shell that reads the command may replace by an alias or a function of its own before any program is looked for, each
 * once. A policy cannot know; whoever can ask the shell has to.
 */
export function firstWords(argvs: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(argvs.flatMap(([first]) => first ?? []))];
}

/**
 * The same with every word and every file of a redirection: zsh's global aliases stand anywhere, and an alias that ends in a space goes
 * on to the next word. Null when the command is not understood.
 */
export function aliasableWords(cmd: string): readonly string[] | null {
  const parsed = parseCommand(cmd);
  if (!('commands' in parsed)) return null;
  const words = parsed.commands.flatMap((command) => [
    ...command.words.map(({ text }) => text),
    ...command.redirects.map(({ target }) => target),
  ]);
  return [...new Set(words)];
}
