import type { Terminal } from '@xterm/xterm';

/**
 * Ligatures of the programming fonts (Fira Code, JetBrains Mono, Cascadia Code, Iosevka). A fixed list, because a page cannot read the tables of one
 * local font without permission for all of them. Longest first: `===` is not `==` and `=`.
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

/** Positions of ligatures in the text of a row: first column, and the one after the last. */
export function ligatureRanges(text: string): [number, number][] {
  return [...text.matchAll(ANY)].map((sign) => [sign.index, sign.index + sign[0].length]);
}

/** Id of the character joiner of each emulator with ligatures. */
const joined = new WeakMap<Terminal, number>();

/** Draws ligatures as the font has them, or letter by letter. */
export function showLigatures(xterm: Terminal, isOn: boolean): void {
  const id = joined.get(xterm);
  if ((id !== undefined) === isOn) return;
  if (id === undefined) joined.set(xterm, xterm.registerCharacterJoiner(ligatureRanges));
  else {
    xterm.deregisterCharacterJoiner(id);
    joined.delete(xterm);
  }
}
