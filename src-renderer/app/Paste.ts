import type { PasteQuestion } from '../../src-main/contract/api.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import type { Dialogs, Question } from './Dialogs.svelte.ts';
import { formatBytes } from './formatWords.ts';
import { splitHidden } from './hiddenChars.ts';
import type { Notices } from './Notices.svelte.ts';
import { strings } from './strings.ts';

/** Limit of the core. */
const MAX_CHARS = 16 * 1024 * 1024;
/** Most characters of a paste that the question shows. */
const PREVIEW_CHARS = 1200;

/** Pastes into terminals, and asks first if the core's guard requires it. */
export class Paste {
  readonly #rpc: Rpc;
  readonly #dialogs: Dialogs;
  readonly #notices: Notices;

  constructor(rpc: Rpc, dialogs: Dialogs, notices: Notices) {
    this.#rpc = rpc;
    this.#dialogs = dialogs;
    this.#notices = notices;
  }

  /** False if nothing was pasted: the person refused, it is too large, or the terminal has no running shell. Never rejects. */
  async into(id: string, text: string): Promise<boolean> {
    if (!this.fits(text)) return false;
    try {
      return await this.#ask(id, text);
    } catch (error) {
      this.#notices.fail(strings.app.paste.failed, error);
      return false;
    }
  }

  /** False, with a notice, if the text is longer than the core accepts. */
  fits(text: string): boolean {
    const isSmall = text.length <= MAX_CHARS;
    if (!isSmall) this.#notices.fail(strings.app.paste.tooLarge);
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
      this.#notices.fail(strings.app.paste.exited);
      return false;
    }
    if (!(await this.confirm(verdict, text))) return false;
    return (await this.#rpc.terminal.paste({ id, text, confirmed: true })).pasted;
  }
}

export function pasteQuestion(verdict: PasteQuestion, text: string): Question {
  const remarks = [
    strings.app.paste.eachLine(formatBytes(verdict.bytes)),
    verdict.hidden && strings.app.paste.hidden,
    verdict.removedControls && strings.app.paste.removedControls,
  ];
  return {
    title: strings.app.paste.title(strings.counts.lines(verdict.lines)),
    body: remarks.filter(Boolean).join('\n'),
    exact: showHidden(text.length > PREVIEW_CHARS ? `${text.slice(0, PREVIEW_CHARS)}…` : text),
    confirm: strings.app.paste.confirm,
  };
}

/** Replaces invisible characters by their code points, so that a question shows them. */
function showHidden(text: string): string {
  return splitHidden(text)
    .map((part) => (part.hidden === undefined ? part.text : `⟨${part.hidden}⟩`))
    .join('');
}
