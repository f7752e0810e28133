import { SvelteMap } from 'svelte/reactivity';
import type { AgentPresence, Approval, ApprovalAnswer, ApprovalChange } from '../../src-main/contract/mcp/approval.ts';
import type { ClientRpc, Listen, Stop } from '../rpc/Rpc.ts';

/** What outside clients ask for and do in terminals. */
export class Clients {
  readonly #rpc: ClientRpc;
  readonly #asked = new SvelteMap<string, Approval>();
  readonly #presence = new SvelteMap<string, AgentPresence>();
  /** What waits for the person's word, the oldest first. */
  readonly asked = $derived([...this.#asked.values()].sort((a, b) => a.askedMs - b.askedMs));
  /** Called for each that is asked while the window runs, not for those that were open before. */
  onAsked: Listen<Approval> = () => undefined;

  constructor(rpc: ClientRpc) {
    this.#rpc = rpc;
  }

  start(): Stop {
    const stops = [
      this.#rpc.onChange((change) => this.apply(change)),
      this.#rpc.onPresence((presence) => this.#presence.set(presence.terminalId, presence)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  apply(change: ApprovalChange): void {
    if (change.type === 'gone') {
      this.#asked.delete(change.id);
      return;
    }
    if (change.type === 'asked') {
      const isNew = !this.#asked.has(change.approval.id);
      this.#asked.set(change.approval.id, change.approval);
      if (isNew) this.onAsked(change.approval);
      return;
    }
    this.#asked.clear();
    for (const approval of change.approvals) this.#asked.set(approval.id, approval);
  }

  /** The oldest that waits for the person's word in that terminal. */
  askedIn(terminalId: string): Approval | undefined {
    return this.asked.find((approval) => approval.terminalId === terminalId);
  }

  presenceOf(terminalId: string): AgentPresence | undefined {
    return this.#presence.get(terminalId);
  }

  /** It is before the person's eyes: from now on they have the whole time. */
  shown(id: string): Promise<unknown> {
    return this.#rpc.shown({ id });
  }

  /** False when it came too late. */
  answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    return this.#rpc.answer({ id, answer });
  }

  takeBack(terminalId: string): Promise<unknown> {
    return this.#rpc.takeBack({ terminalId });
  }

  giveBack(terminalId: string): Promise<unknown> {
    return this.#rpc.giveBack({ terminalId });
  }

  /** Takes a command that waits out of the queue. */
  cancel(blockId: string): Promise<unknown> {
    return this.#rpc.cancel({ blockId });
  }
}
