import type { PasteVerdict, SubmitAsked, SubmitVerdict } from '../../contract/api.ts';
import { encodePaste, judgePaste, sanitizePaste } from '../../pty/sanitizePaste.ts';

/** In canonical mode a program gets at most 4,096 bytes per line; without brackets a longer command would be cut silently. */
const MAX_UNBRACKETED_BYTES = 4000;

/** Ctrl-U clears a prepared line, so that its text is not joined with the command. All line editors and the kernel support it. */
const DISCARD_LINE = '\x15';

/** Input's view of its terminal. Every value is read at each access. */
export interface InputTarget {
  readonly hasExited: boolean;
  /** Id of the running block, or null. */
  readonly runningId: string | null;
  /** A client's command is in the shell's line, or was sent and has not begun. */
  readonly isClientStarting: boolean;
  /** No key was typed since the prompt: the text sent now is the whole line. */
  readonly isLineEmpty: boolean;
  /** The last key ended a line, perhaps one that the shell asks to continue: no text follows it. In fish, Ctrl-U would join it with the command. */
  readonly isEntered: boolean;
  /** No earlier line of the person can run before the text sent now. */
  readonly isUntouched: boolean;
  /** Makes Ctrl-U enough to empty the line; false if that is impossible. */
  preparedForDiscard(): Promise<boolean>;
  /** Resolves when no client's command is being entered into the line. */
  lineFree(): Promise<void>;
  /** Whether the program (or the shell's line editor) has DEC mode 2004 on. */
  bracketedPaste(): Promise<boolean>;
  /** The same at a prompt that may be new: its line editor may need a moment to turn the mode on. */
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
 * Sends a line from the composer to the shell, or to the program for which it was written. Checks the terminal again in the turn of
 * sending, so that the line never becomes the input of a program that began meanwhile. Calls `announce` with the text of a command right
 * before sending, if it is certain to run as one command.
 */
export async function submitTo(
  target: InputTarget,
  { text, asked }: { text: string; asked: SubmitAsked },
  announce: (cmd: string) => void,
): Promise<SubmitVerdict> {
  const lines = text.replace(/[\r\n]+$/, '');
  const clean = sanitizePaste(lines);
  for (;;) {
    await target.lineFree();
    const { runningId } = target;
    const refusal = refusalOf(target, asked);
    if (refusal) return { ok: false, reason: refusal };
    if (runningId === null && !target.isLineEmpty) {
      if (!(await target.preparedForDiscard())) return { ok: false, reason: 'unfinished' };
      if (target.isClientStarting || target.runningId !== runningId) continue;
    }
    const isSoon = runningId !== null || clean.includes('\r');
    const isBracketed = await (isSoon ? target.bracketedPasteSoon() : target.bracketedPaste());
    if (target.isClientStarting || target.runningId !== runningId) continue;
    if (runningId !== null) {
      const question = text === '' ? null : judgePaste(text, isBracketed);
      if (question && asked.confirmed !== true) return { ok: false, reason: 'confirm', ...question };
      if (text !== '') {
        target.send(encodePaste(text, isBracketed));
        await target.bracketedPaste(); // programs take a Return sent together with a paste as part of it
      }
      if (target.runningId === runningId) target.send('\r');
      return { ok: true };
    }
    if (!isBracketed && Buffer.byteLength(clean) > MAX_UNBRACKETED_BYTES) return { ok: false, reason: 'too-long' };
    const isOneCommand = isBracketed || !clean.includes('\r');
    // Lines typed ahead are single ones, which the shell distinguishes from a command of several lines.
    const isNext = target.isUntouched || clean.includes('\r');
    if (isOneCommand && clean !== '' && target.isLineEmpty && isNext) announce(clean.replaceAll('\r', '\n'));
    // Without brackets each Return runs its own line, as terminals without them have always done.
    const discard = target.isLineEmpty || target.isEntered ? '' : DISCARD_LINE;
    target.send(`${discard}${clean === '' ? '' : encodePaste(lines, isBracketed)}\r`);
    return { ok: true };
  }
}

function refusalOf(target: InputTarget, { running }: SubmitAsked): 'exited' | 'busy' | null {
  if (target.hasExited) return 'exited';
  const isForeign = target.runningId !== null && target.runningId !== running;
  return isForeign || target.isClientStarting ? 'busy' : null;
}
