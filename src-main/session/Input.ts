import type { PasteVerdict, SubmitVerdict } from '../contract/api.ts';
import { encodePaste, judgePaste, sanitizePaste } from '../pty/sanitizePaste.ts';

/** Canonical mode hands a program at most 4,096 bytes a line; without brackets a longer command would be cut silently. */
const MAX_UNBRACKETED_BYTES = 4000;

/** Ctrl-U: what stands in the line must not be joined with the command. All line editors and the kernel's own know it. */
const DISCARD_LINE = '\x15';

/** What input needs to know about its terminal. */
export interface InputTarget {
  readonly hasExited: boolean;
  readonly isRunning: boolean;
  /** Nothing was typed since the prompt was drawn: what is sent now is the whole line. */
  readonly isLineEmpty: boolean;
  /** No line of the person's can still be waiting to run before what is sent now. */
  readonly isUntouched: boolean;
  /** The program (or the shell's line editor) has DEC mode 2004 on. */
  bracketedPaste(): Promise<boolean>;
  /** The same, for a prompt that may have just been drawn: its line editor may need a moment to ask for pastes. */
  bracketedPasteSoon(): Promise<boolean>;
  send(data: string): void;
}

export async function pasteInto(target: InputTarget, text: string, isConfirmed: boolean): Promise<PasteVerdict> {
  if (target.hasExited) return { pasted: false, reason: 'exited' };
  const isBracketed = await target.bracketedPasteSoon();
  const question = judgePaste(text, isBracketed);
  if (question && !isConfirmed) return { pasted: false, reason: 'confirm', ...question };
  target.send(encodePaste(text, isBracketed));
  return { pasted: true };
}

/**
 * A command from the composer: one bracketed paste and Return, so that the line editor takes it as one line whatever it
 * holds. `announce` is told the text just before it goes, when it is certain that it goes as one command.
 */
export async function submitTo(
  target: InputTarget,
  text: string,
  announce: (cmd: string) => void,
): Promise<SubmitVerdict> {
  if (target.hasExited) return { ok: false, reason: 'exited' };
  if (target.isRunning) return { ok: false, reason: 'busy' };
  const lines = text.replace(/[\r\n]+$/, '');
  const clean = sanitizePaste(lines);
  const isBracketed = await (clean.includes('\r') ? target.bracketedPasteSoon() : target.bracketedPaste());
  if (!isBracketed && Buffer.byteLength(clean) > MAX_UNBRACKETED_BYTES) return { ok: false, reason: 'too-long' };
  const isOneCommand = isBracketed || !clean.includes('\r');
  // Lines typed ahead are single ones, which the shell tells from one of several.
  const isNext = target.isUntouched || clean.includes('\r');
  if (isOneCommand && clean !== '' && target.isLineEmpty && isNext) announce(clean.replaceAll('\r', '\n'));
  // Without brackets each Return runs a line of its own: what a terminal without them has always done with several lines.
  const discard = target.isLineEmpty ? '' : DISCARD_LINE;
  target.send(`${discard}${clean === '' ? '' : encodePaste(lines, isBracketed)}\r`);
  return { ok: true };
}
