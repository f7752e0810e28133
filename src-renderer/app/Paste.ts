import type { PasteQuestion } from '../../src-main/contract/api.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import type { Dialogs, Question } from './Dialogs.svelte.ts';
import { formatBytes, formatLines } from './formatWords.ts';
import { splitHidden } from './hiddenChars.ts';
import type { Notices } from './Notices.svelte.ts';

/** As the core takes it. */
const MAX_CHARS = 16 * 1024 * 1024;
/** Longest stretch of a paste that is shown in the question. */
const PREVIEW_CHARS = 1200;

/** Pastes into terminals, asking where the core's guard says so. */
export class Paste {
  readonly #rpc: Rpc;
  readonly #dialogs: Dialogs;
  readonly #notices: Notices;

  constructor(rpc: Rpc, dialogs: Dialogs, notices: Notices) {
    this.#rpc = rpc;
    this.#dialogs = dialogs;
    this.#notices = notices;
  }

  /** False when nothing was pasted: the person said no, it is too large, or nothing runs. Never rejects. */
  async into(id: string, text: string): Promise<boolean> {
    if (!this.fits(text)) return false;
    try {
      return await this.#ask(id, text);
    } catch (error) {
      this.#notices.fail('Could not paste', error);
      return false;
    }
  }

  /** False, with a notice, when the text is longer than the core takes. */
  fits(text: string): boolean {
    const isSmall = text.length <= MAX_CHARS;
    if (!isSmall) this.#notices.fail('Too large to paste: over 16 MB. Put it in a file and read that');
    return isSmall;
  }

  /** Resolves with the person's answer to the core's question about this text. */
  confirm(question: PasteQuestion, text: string): Promise<boolean> {
    return this.#dialogs.ask(pasteQuestion(question, text));
  }

  async #ask(id: string, text: string): Promise<boolean> {
    const verdict = await this.#rpc.terminal.paste({ id, text });
    if (verdict.pasted) return true;
    if (verdict.reason === 'exited') {
      this.#notices.fail('Nothing runs here that could take it');
      return false;
    }
    if (!(await this.confirm(verdict, text))) return false;
    return (await this.#rpc.terminal.paste({ id, text, confirmed: true })).pasted;
  }
}

export function pasteQuestion(verdict: PasteQuestion, text: string): Question {
  const remarks = [
    `Each line is taken as if you typed it and pressed Return (${formatBytes(verdict.bytes)}).`,
    verdict.hidden && 'It holds invisible characters: what you see may not be what runs.',
    verdict.removedControls && 'Control characters were taken out.',
  ];
  return {
    title: `Paste ${formatLines(verdict.lines)}?`,
    body: remarks.filter(Boolean).join('\n'),
    exact: showHidden(text.length > PREVIEW_CHARS ? `${text.slice(0, PREVIEW_CHARS)}…` : text),
    confirm: 'Paste',
  };
}

/** Invisible characters by their code points, so that a question shows what is really there. */
function showHidden(text: string): string {
  return splitHidden(text)
    .map((part) => (part.hidden === undefined ? part.text : `⟨${part.hidden}⟩`))
    .join('');
}
