import type { Block } from '../contract/block.ts';
import type { Conversation } from '../contract/chat/chat.ts';
import type { PastRow } from '../contract/past.ts';
import { PAST_ID } from '../contract/pastId.ts';
import type { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { InFlight } from '../util/InFlight.ts';
import { resumeCommand } from './agents/all.ts';
import { findSession } from './findSession.ts';
import type { Where } from './findSources.ts';
import type { PastHistory } from './PastHistory.ts';

export interface ContinuingSpec extends Where {
  readonly chats: ConversationStore;
  readonly history: PastHistory;
  /** Reads the last command of the terminal's shell that ended; null if the terminal is not open or had none. */
  lastCommandBefore(terminalId: string): Promise<Block | null>;
  /** The terminal if it is open. It remembers the conversation that is not offered, because it was continued or dismissed. */
  terminal(terminalId: string): Dismissals | undefined;
}

export interface Dismissals {
  readonly dismissedChat: string | null;
  dismissChat(conversationId: string | null): void;
}

/** Finds the conversation of a terminal that a restart cut off. */
export class Continuing {
  readonly #spec: ContinuingSpec;
  /** By terminal: the conversation that was found last. Its shell may run other commands since. */
  readonly #known = new Map<string, PastRow>();
  readonly #finding = new InFlight<PastRow | null>();

  constructor(spec: ContinuingSpec) {
    this.#spec = spec;
  }

  /**
   * Finds the conversation that can continue. Null if the last agent ended by itself, still runs, or has no command to continue, if the same shell
   * ran another command after it, and if it was continued or dismissed.
   */
  async lastIn(terminalId: string): Promise<PastRow | null> {
    if (terminalId === PAST_ID) return null;
    const last = await this.#newest(terminalId);
    const known = this.#known.get(terminalId);
    const isKnown = known !== undefined && known.conversationId === last?.id;
    const row = isKnown ? known : await this.#finding.run(terminalId, () => this.#find(terminalId, last));
    if (row === null) return null;
    this.#known.set(terminalId, row);
    return this.#spec.terminal(terminalId)?.dismissedChat === row.conversationId ? null : row;
  }

  /** The person does not want to continue it, now or after another restart. */
  async dismiss(terminalId: string): Promise<void> {
    const row = await this.lastIn(terminalId);
    if (row) this.#spec.terminal(terminalId)?.dismissChat(row.conversationId);
  }

  /** Stops offering the conversation, because it is continued. */
  continued({ terminalId, conversationId }: PastRow): void {
    this.#spec.terminal(terminalId)?.dismissChat(conversationId);
  }

  /** Offers it again: the agent did not start. */
  notStarted({ terminalId }: PastRow): void {
    this.#spec.terminal(terminalId)?.dismissChat(null);
  }

  async #newest(terminalId: string): Promise<Conversation | undefined> {
    return (await this.#spec.chats.list({ terminalId, limit: 1 }))[0];
  }

  async #find(terminalId: string, last: Conversation | undefined): Promise<PastRow | null> {
    const { chats, history } = this.#spec;
    if (!last || last.endedMs === null) return null;
    const block = await this.#spec.lastCommandBefore(terminalId);
    if (block === null || block.id !== last.blockId || !isCutOff(block)) return null;
    const row = await history.row(`${terminalId}/${last.id}`);
    if (!row) return null;
    const command = last.title === '' ? resumedBy(block, row.agent) : row.command;
    if (command !== null) return { ...row, command };
    if (last.title === '' || resumeCommand(row.agent, 'id') === null) return null;
    const lines = await chats.lines(terminalId);
    const session = await findSession({ conversation: last, lines }, this.#spec);
    const found = resumeCommand(row.agent, session);
    return found === null ? null : { ...row, command: found };
  }
}

/** True if the shell ended while the command ran. */
function isCutOff({ endedBy }: Block): boolean {
  return endedBy === 'recovery' || endedBy === 'shell-exit';
}

/** The command of a conversation that was resumed and has no prompt yet, so that no log has it: the same command resumes it again. */
function resumedBy({ cmd }: Block, agent: string): string | null {
  const id = /[\w-]+$/.exec(cmd ?? '')?.[0] ?? null;
  return cmd !== null && resumeCommand(agent, id) === cmd ? cmd : null;
}
