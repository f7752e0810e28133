import type { Block } from '../contract/block.ts';
import type { Conversation } from '../contract/chat/chat.ts';
import type { PastRow } from '../contract/past.ts';
import { PAST_ID } from '../contract/pastId.ts';
import type { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { resumeCommand } from './agents/all.ts';
import { findSession } from './findSession.ts';
import type { Where } from './findSources.ts';
import type { PastHistory } from './PastHistory.ts';

export interface ContinuingSpec extends Where {
  readonly chats: ConversationStore;
  readonly history: PastHistory;
  /** Reads a block; null if the terminal is not open or has no block of this id. */
  block(terminalId: string, blockId: string): Promise<Block | null>;
}

/** Finds the conversation of a terminal that a restart cut off. */
export class Continuing {
  readonly #spec: ContinuingSpec;
  readonly #known = new Map<string, PastRow | null>();

  constructor(spec: ContinuingSpec) {
    this.#spec = spec;
  }

  /** Finds the conversation that can continue, once for each terminal. Null if the last agent ended by itself, still runs, or has no command to continue. */
  async lastIn(terminalId: string): Promise<PastRow | null> {
    const known = this.#known.get(terminalId);
    if (known !== undefined) return known;
    const row = terminalId === PAST_ID ? null : await this.#find(terminalId);
    this.#known.set(terminalId, row);
    return row;
  }

  /** Stops offering the conversation, because it was continued or the person dismissed it. */
  forget(terminalId: string): void {
    this.#known.set(terminalId, null);
  }

  async #find(terminalId: string): Promise<PastRow | null> {
    const { chats, history } = this.#spec;
    const [last] = await chats.list({ terminalId, limit: 1 });
    if (!last || last.endedMs === null || last.title === '' || !(await this.#wasCutOff(last))) return null;
    const row = await history.row(`${terminalId}/${last.id}`);
    if (!row || row.command !== null || resumeCommand(row.agent, 'id') === null) return row?.command ? row : null;
    const lines = await chats.lines(terminalId);
    const command = resumeCommand(row.agent, await findSession({ conversation: last, lines }, this.#spec));
    return command === null ? null : { ...row, command };
  }

  /** True if the shell ended while the agent ran. */
  async #wasCutOff({ terminalId, blockId }: Conversation): Promise<boolean> {
    const block = blockId === null ? null : await this.#spec.block(terminalId, blockId);
    return block !== null && (block.endedBy === 'recovery' || block.endedBy === 'shell-exit');
  }
}
