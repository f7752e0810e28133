import { createInterface } from 'node:readline/promises';
import type { Approval, ApprovalAnswer, ApprovalChange } from '../../contract/mcp/approval.ts';
import { isOffered } from '../../contract/mcp/isOffered.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { print, printLines, remark } from '../print/output.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { approvalLines, refuseOwn } from './shownApproval.ts';
import { wrapRows } from './wrapRows.ts';

const CHOICES: Readonly<Record<string, ApprovalAnswer>> = {
  y: { choice: 'once' },
  yes: { choice: 'once' },
  e: { choice: 'exact' },
  p: { choice: 'prefix' },
};

const MIN_PAGE_ROWS = 5;
/** Rows below a page. */
const PROMPT_ROWS = 2;

/** Shortest time to read a command: an earlier yes was meant for something else. */
const READ_MS = 500;

/** Shows and asks about each request, one at a time, until the input ends. Reports a request that is withdrawn during its question. */
export async function followApprovals(core: LiveCore): Promise<void> {
  const desk = new Desk(core);
  await desk.run();
}

class Desk {
  readonly #api: LiveCore['connection']['api'];
  readonly #input = createInterface({ input: process.stdin, output: process.stdout });
  #waiting: Approval[] = [];
  #asking: { id: string; abort: AbortController } | null = null;
  #wake: () => void = () => undefined;
  #hasEnded = false;
  #failure: unknown = null;

  constructor(core: LiveCore) {
    this.#api = core.connection.api;
    this.#input.once('close', () => this.#end());
    void core.connection.lost.catch(() => {
      this.#failure = new CliError('Hansard stopped.', EXIT.unavailable);
      this.#end();
    });
  }

  async run(): Promise<void> {
    const following = this.#api.approval.onChange.subscribe(undefined, {
      onData: (change) => this.#take(change),
      onError: (error) => {
        this.#failure = error;
        this.#end();
      },
    });
    remark('waiting for what outside clients ask; Ctrl-C ends it.');
    while (!this.#hasEnded) {
      const next = this.#waiting.shift();
      if (next) await this.#ask(next);
      else await this.#something();
    }
    following.unsubscribe();
    this.#input.close();
    if (this.#failure !== null) throw this.#failure;
  }

  #take(change: ApprovalChange): void {
    if (change.type === 'all') this.#waiting = change.approvals;
    else if (change.type === 'asked') {
      const isKnown = this.#asking?.id === change.approval.id;
      if (!isKnown) this.#waiting = [...this.#without(change.approval.id), change.approval];
    } else {
      this.#waiting = this.#without(change.id);
      if (this.#asking?.id === change.id) this.#asking.abort.abort();
    }
    this.#wake();
  }

  async #ask(approval: Approval): Promise<void> {
    const abort = new AbortController();
    this.#asking = { id: approval.id, abort };
    await this.#api.approval.shown.mutate({ id: approval.id });
    const isSeen = await this.#show(approval, abort.signal);
    const answer = isSeen === true ? await this.#answerTo(approval, abort.signal) : isSeen;
    this.#asking = null;
    if (answer === null) return void (await print('\n'));
    if (answer.choice !== 'deny') refuseOwn(approval);
    const isTaken = await this.#api.approval.answer.mutate({ id: approval.id, answer });
    if (!isTaken) remark('it was not open any more, or that is not offered.');
  }

  /**
   * Shows it page by page, so that no command is allowed that has partly left the screen. True after the last page; a refusal if the person stops
   * earlier; null if the request is gone.
   */
  async #show(approval: Approval, signal: AbortSignal): Promise<true | ApprovalAnswer | null> {
    const { columns = 80, rows = 24 } = process.stdout;
    const all = wrapRows(approvalLines(approval), columns);
    const page = Math.max(MIN_PAGE_ROWS, rows - PROMPT_ROWS);
    for (let at = 0; ; at += page) {
      await printLines(all.slice(at, at + page));
      const more = all.length - at - page;
      if (more <= 0) return true;
      const said = await this.#input.question(moreWords(more), { signal }).catch(() => null);
      if (said === null) return null;
      if (said.trim() !== '') return { choice: 'deny', reason: '' };
    }
  }

  /** Null if the request is gone or the input has ended. Keys typed before the text can be read do not count as yes. */
  async #answerTo(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer | null> {
    const exact = isOffered(approval, 'exact') ? ', e = always here' : '';
    const prefix = isOffered(approval, 'prefix') ? `, p = always here for \`${approval.prefix?.join(' ')}\`` : '';
    for (;;) {
      this.#input.write(null, { ctrl: true, name: 'e' });
      this.#input.write(null, { ctrl: true, name: 'u' });
      const askedMs = performance.now();
      const said = await this.#input.question(`Allow? [y/N${exact}${prefix}] `, { signal }).catch(() => null);
      if (said === null) return null;
      const answer = CHOICES[said.trim().toLowerCase()];
      if (!answer) return { choice: 'deny', reason: '' };
      if (performance.now() - askedMs >= READ_MS) return answer;
      remark('that was typed before it could be read, so it is asked again.');
    }
  }

  #something(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #without(id: string): Approval[] {
    return this.#waiting.filter((other) => other.id !== id);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#asking?.abort.abort();
    this.#wake();
  }
}

function moreWords(count: number): string {
  return `${count} more ${count === 1 ? 'line' : 'lines'}. Return shows more, n refuses: `;
}
