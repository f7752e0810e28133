import { onMachineOf } from '../machines/Machines.svelte.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';

/** Longer texts were pasted, and are not the start of an earlier command. */
const MAX_PREFIX = 1000;

/** The rest of an earlier command that starts like the draft: shown after the caret, and inserted only when the person accepts it. */
export class GhostText {
  readonly #rpc: Rpc;
  readonly #terminal: TerminalState;
  /** Root of the terminal's project; null if it is unknown. */
  readonly #project: () => string | null;
  #command = $state.raw('');
  /** Counts requests, so that an answer to an earlier one is dropped. */
  #asked = 0;

  constructor(rpc: Rpc, terminal: TerminalState, project: () => string | null) {
    this.#rpc = rpc;
    this.#terminal = terminal;
    this.#project = project;
  }

  get rest(): string {
    const { draft, draftedFor } = this.#terminal;
    const isOfDraft = draft !== '' && draftedFor === null && this.#command.startsWith(draft);
    return isOfDraft ? this.#command.slice(draft.length) : '';
  }

  /** Never rejects: without an answer, no ghost text is shown. */
  async typed(): Promise<void> {
    if (this.rest !== '') return; // the best match for less text is also the best for this one
    this.clear();
    const { draft, draftedFor, view } = this.#terminal;
    if (draft.trim() === '' || draft.length > MAX_PREFIX || draftedFor !== null) return;
    const asked = this.#asked;
    const input = { ...onMachineOf(this.#terminal.id), prefix: draft, cwd: view.cwd, project: this.#project() };
    const found = await this.#rpc.history.nearest(input).catch(() => null);
    if (asked === this.#asked) this.#command = found ?? '';
  }

  clear(): void {
    this.#asked += 1;
    this.#command = '';
  }
}

/** The first word of the rest, with the space before it. */
export function firstWord(rest: string): string {
  return /^\s*\S+/.exec(rest)?.[0] ?? rest;
}
