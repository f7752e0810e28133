import type { MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import type { Settings } from '../../contract/settings.ts';

/** Why the window or the app is about to close. `signal`: the system or a parent process ends us, so there is no time to ask. */
export type CloseReason = 'window' | 'quit' | 'signal';

/** `keep`: the window closes, the core stays. */
export type CloseVerdict = 'end' | 'keep' | 'ask';

/** Decides on a request to close. Running programs are ended only after a confirmation, except on a signal. */
export function judgeClose({
  reason,
  running,
  platform,
  whileRunning,
}: {
  reason: CloseReason;
  running: readonly string[];
  platform: NodeJS.Platform;
  /** The person's choice without a question; `ask` until they answer one with "do not ask again". */
  whileRunning: Settings['quit.whileRunning'];
}): CloseVerdict {
  if (reason === 'signal') return 'end';
  if (running.length > 0) return whileRunning;
  return reason === 'window' && platform === 'darwin' ? 'keep' : 'end';
}

/** More names than this make a dialog taller than a small screen. */
const MAX_NAMED = 12;
/** A command line may be very long; its start identifies it. */
const MAX_NAME_CHARS = 80;

const ANSWERS = ['keep', 'end', 'cancel'] as const;
export type QuitAnswer = (typeof ANSWERS)[number];

/** Lists the running programs and asks. The default answer loses nothing. */
export function quitQuestion(running: readonly string[]): MessageBoxOptions {
  const named = running.slice(0, MAX_NAMED).map(shorten);
  const more = running.length - named.length;
  const count = running.length === 1 ? 'One program is still running' : `${running.length} programs are still running`;
  return {
    type: 'question',
    title: 'Hansard',
    message: `${count}. Quitting ends ${running.length === 1 ? 'it' : 'them'}.`,
    detail: [...named, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
    buttons: ['Keep running', 'End all and quit', 'Cancel'],
    checkboxLabel: 'Do not ask again (change it in the settings)',
    checkboxChecked: false,
    defaultId: ANSWERS.indexOf('keep'),
    cancelId: ANSWERS.indexOf('cancel'),
    noLink: true,
  };
}

/** The meaning of a button's number; closing the dialog cancels. A cancel is never remembered. */
export function readAnswer({ response, checkboxChecked }: MessageBoxReturnValue): {
  answer: QuitAnswer;
  isRemembered: boolean;
} {
  const answer = ANSWERS[response] ?? 'cancel';
  return { answer, isRemembered: checkboxChecked && answer !== 'cancel' };
}

function shorten(name: string): string {
  const oneLine = name.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
  return oneLine.length > MAX_NAME_CHARS ? `${oneLine.slice(0, MAX_NAME_CHARS - 1)}…` : oneLine;
}
