import type { Terminal } from '@xterm/xterm';

/**
 * What the programming fonts (Fira Code, JetBrains Mono, Cascadia Code, Iosevka) draw as one sign. A list, because a page may not read the
 * tables of a font of this computer without asking for all of them. Longest first: `===` is not `==` and `=`.
 */
const SIGNS = [
  ...['<!---', '<---->', '<====>', '<--->', '<===>', '<!--', '<-->', '<==>', '<---', '--->', '<===', '===>', '----'],
  ...['<--', '-->', '<->', '<==', '==>', '<=>', '<<-', '->>', '<<=', '>>=', '=>>', '<~~', '~~>', '<~>', '</>', '<|>'],
  ...['<$>', '<*>', '<+>', '===', '!==', '=/=', ':::', '...', '..<', '..=', '###', '***', '///', '/**', '+++', '---'],
  ...['|||', '&&&', '<<<', '>>>', '||=', '|=>', '#{', '#[', '#(', '#!', '#?', '#_', '##', '<-', '->', '=>', '<=', '>='],
  ...['==', '!=', '/=', '~=', '<>', '::', ':=', ':>', '<:', '=:', '&&', '||', '|>', '<|', '++', '--', '**', '*>', '<*'],
  ...['//', '/*', '*/', '</', '/>', '..', '.=', '.-', '??', '?.', '?:', '!!', '<<', '>>', '~>', '<~', '~~', '-~', '~-'],
  ...[';;', '%%', '|-', '-|', '[|', '|]', '{|', '|}', '^=', '-<', '>-', '_|_'],
].sort((a, b) => b.length - a.length);
const ANY = new RegExp(SIGNS.map((sign) => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');

/** Where signs of several letters stand in the text of a row: first column, and the one after the last. */
export function ligatureRanges(text: string): [number, number][] {
  return [...text.matchAll(ANY)].map((sign) => [sign.index, sign.index + sign[0].length]);
}

/** Emulators whose rows are joined, by the number of their joiner. */
const joined = new WeakMap<Terminal, number>();

/** Draws signs of several letters as the font has them, or letter by letter. */
export function showLigatures(xterm: Terminal, isOn: boolean): void {
  const id = joined.get(xterm);
  if ((id !== undefined) === isOn) return;
  if (id === undefined) joined.set(xterm, xterm.registerCharacterJoiner(ligatureRanges));
  else {
    xterm.deregisterCharacterJoiner(id);
    joined.delete(xterm);
  }
}
