import { SvelteMap } from 'svelte/reactivity';
import type { AgentPresence, Approval, ApprovalAnswer, ApprovalChange } from '../../src-main/contract/mcp/approval.ts';
import type { ClientRpc, Listen, Stop } from '../rpc/Rpc.ts';

/** Requests and actions of clients in terminals. */
export class Clients {
  readonly #rpc: ClientRpc;
  readonly #asked = new SvelteMap<string, Approval>();
  readonly #presence = new SvelteMap<string, AgentPresence>();
  /** Open approvals, oldest first. */
  readonly asked = $derived([...this.#asked.values()].sort((a, b) => a.askedMs - b.askedMs));
  /** Called for each request that arrives while the window runs, not for earlier ones. */
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

  /** The oldest open approval of that terminal. */
  askedIn(terminalId: string): Approval | undefined {
    return this.asked.find((approval) => approval.terminalId === terminalId);
  }

  presenceOf(terminalId: string): AgentPresence | undefined {
    return this.#presence.get(terminalId);
  }

  /** The approval is visible: its time limit starts now. */
  shown(id: string): Promise<unknown> {
    return this.#rpc.shown({ id });
  }

  /** False if the answer came too late. */
  answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    return this.#rpc.answer({ id, answer });
  }

  takeBack(terminalId: string): Promise<unknown> {
    return this.#rpc.takeBack({ terminalId });
  }

  giveBack(terminalId: string): Promise<unknown> {
    return this.#rpc.giveBack({ terminalId });
  }

  /** Removes a waiting command from the queue. */
  cancel(blockId: string): Promise<unknown> {
    return this.#rpc.cancel({ blockId });
  }
}
