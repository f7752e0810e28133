/**
 * Position of a mark in the shell's cycle. `end` is the command's end; `prompt` is the hook's report that the shell is at its prompt. Output after
 * `shellText` is the shell's prompt and command line, output after `programText` a program's.
 */
export type MarkKind = 'promptStart' | 'promptEnd' | 'begin' | 'end' | 'prompt' | 'shellText' | 'programText';

/** True for marks that say whose text follows. */
export function isOfText(kind: MarkKind): kind is 'shellText' | 'programText' {
  return kind === 'shellText' || kind === 'programText';
}
