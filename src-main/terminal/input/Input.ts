import type { PasteVerdict, SubmitAsked, SubmitVerdict } from '../../contract/api.ts';
import { encodePaste, judgePaste, sanitizePaste } from '../../pty/sanitizePaste.ts';

/** Canonical mode hands a program at most 4,096 bytes a line; without brackets a longer command would be cut silently. */
const MAX_UNBRACKETED_BYTES = 4000;

/** Ctrl-U: what stands in the line must not be joined with the command. All line editors and the kernel's own know it. */
const DISCARD_LINE = '\x15';

/** What input needs to know about its terminal. Everything is read anew at each access. */
export interface InputTarget {
  readonly hasExited: boolean;
  /** The block that runs, or null. */
  readonly runningId: string | null;
  /** A client's command is in the shell's line, or was sent and has not begun. */
  readonly isClientStarting: boolean;
  /** Nothing was typed since the prompt was drawn: what is sent now is the whole line. */
  readonly isLineEmpty: boolean;
  /** No line of the person's can still be waiting to run before what is sent now. */
  readonly isUntouched: boolean;
  /** Resolves when no client's command is being put into the line. */
  lineFree(): Promise<void>;
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
 * A line from the composer, for the shell or for the program that it was written for. What the terminal does is looked at again in the turn in
 * which the line is sent: it never becomes the input of something that began meanwhile. `announce` is told the text of a command just before it
 * goes, when it is certain that it goes as one.
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
    const isSoon = runningId !== null || clean.includes('\r');
    const isBracketed = await (isSoon ? target.bracketedPasteSoon() : target.bracketedPaste());
    if (target.isClientStarting || target.runningId !== runningId) continue;
    if (runningId !== null) {
      const question = text === '' ? null : judgePaste(text, isBracketed);
      if (question && asked.confirmed !== true) return { ok: false, reason: 'confirm', ...question };
      if (text !== '') {
        target.send(encodePaste(text, isBracketed));
        await target.bracketedPaste(); // programs take a Return in one piece with a paste as a part of it
      }
      if (target.runningId === runningId) target.send('\r');
      return { ok: true };
    }
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
}

function refusalOf(target: InputTarget, { running }: SubmitAsked): 'exited' | 'busy' | null {
  if (target.hasExited) return 'exited';
  const isForeign = target.runningId !== null && target.runningId !== running;
  return isForeign || target.isClientStarting ? 'busy' : null;
}
