import { SvelteMap } from 'svelte/reactivity';
import type { AgentChoice } from '../../src-main/contract/api.ts';
import type { MachineView } from '../../src-main/contract/machines.ts';
import type { Group } from '../../src-main/shared/groupTerminals.ts';
import { machineOf, OUTCOME_UNKNOWN } from '../../src-main/shared/machineIds.ts';
import { formatPath } from '../app/formatWords.ts';
import { FAILURE_MS } from '../app/Notices.svelte.ts';
import { strings } from '../app/strings.ts';
import { codeOf } from '../rpc/codeOf.ts';
import type { RefusedViews } from '../rpc/Refusals.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { guardRpc } from './guardRpc.ts';
import { type MachineGroup, machineGroups } from './machineGroups.ts';

/** What the sheet shows. `connect` without a key asks for a host; with one it shows what happens with that machine. */
export type MachineSheetView =
  | { readonly what: 'connect'; readonly key: string | null }
  | { readonly what: 'forward' | 'forget'; readonly key: string };

/** Other machines, as the core knows them, and what the window asks of them. */
export class Machines {
  readonly #rpc: Rpc;
  readonly #home: string;
  /** The window's calls. Those for a machine that cannot be reached are refused at once. */
  readonly rpc: Rpc;
  all = $state.raw<readonly MachineView[]>([]);
  readonly connected = $derived(this.all.filter(({ state }) => state === 'connected'));
  readonly #byKey = $derived(new Map(this.all.map((machine) => [machine.key as string, machine])));
  /** Agents that can be started there, by machine. */
  readonly #agents = new SvelteMap<string, readonly AgentChoice[]>();
  /** For "reconnecting in 8 s"; does not change while no machine waits. */
  nowMs = $state(Date.now());
  /** When keys were last refused whose arrival is not known. */
  #unsureMs = Number.NEGATIVE_INFINITY;
  #ticks: ReturnType<typeof setInterval> | undefined;
  sheet = $state.raw<MachineSheetView | null>(null);
  /** Why the view of a terminal has stopped, by its id. */
  refused = $state.raw<RefusedViews>(new Map());
  /** Something was not sent, for this reason. */
  onRefused: (reason: string) => void = () => undefined;
  onLost: (key: string) => void = () => undefined;
  onConnected: (machine: MachineView) => void = () => undefined;

  constructor(rpc: Rpc, home: string) {
    this.#rpc = rpc;
    this.#home = home;
    this.rpc = guardRpc(rpc, {
      check: (id) => this.cutOf(id),
      refused: (reason) => this.#refuse(strings.machines.lost.notSent(reason)),
      failed: (id, error) => {
        if (machineOf(id) !== null && error instanceof Error) this.#refuse(error.message, codeOf(error));
      },
    });
  }

  start(): Stop {
    const stops = [
      this.#rpc.machine.onChange(({ machines }) => this.apply(machines)),
      this.#rpc.machine.onRefused((views) => {
        this.refused = views;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      clearInterval(this.#ticks);
    };
  }

  apply(machines: readonly MachineView[]): void {
    const before = this.#byKey;
    this.all = machines;
    this.#tick();
    const key = this.sheet?.key;
    if (key != null && before.has(key) && !this.#byKey.has(key)) this.sheet = null;
    for (const machine of machines) {
      const was = before.get(machine.key)?.state;
      if (was === machine.state) continue;
      if (was === 'connected') this.onLost(machine.key);
      if (machine.state !== 'connected') continue;
      void this.findAgents(machine.key);
      this.onConnected(machine);
    }
  }

  /** The list of terminals, machine by machine. */
  groups<T extends { id: string }>(projects: readonly Group<T>[]): MachineGroup<T>[] {
    return machineGroups(projects, this.all);
  }

  inOrder<T extends { id: string }>(projects: readonly Group<T>[]): T[] {
    return this.groups(projects).flatMap(({ groups }) => groups.flatMap(({ terminals }) => terminals));
  }

  byKey(key: string): MachineView | undefined {
    return this.#byKey.get(key);
  }

  /** The machine of a terminal, a project, a conversation; undefined for this one. */
  of(id: string): MachineView | undefined {
    const key = machineOf(id);
    return key === null ? undefined : this.#byKey.get(key);
  }

  nameOf(id: string): string {
    return this.of(id)?.name ?? '';
  }

  /** `npm test on devbox`. */
  titled(title: string, id: string): string {
    const name = this.nameOf(id);
    return name === '' ? title : `${title} ${strings.machines.on(name)}`;
  }

  /** Why nothing can be sent to that terminal; null when it can. */
  cutOf(id: string): string | null {
    const key = machineOf(id);
    if (key === null || this.#byKey.get(key)?.state === 'connected') return null;
    return strings.machines.lost.noConnection(this.#byKey.get(key)?.name ?? key);
  }

  isCut(id: string): boolean {
    return this.cutOf(id) !== null;
  }

  homeOf(id: string): string {
    return machineOf(id) === null ? this.#home : (this.of(id)?.info?.home ?? '');
  }

  /** A folder as it is written there, without the name of the machine. */
  folder(id: string, path: string, maxChars?: number): string {
    return formatPath(path, this.homeOf(id), maxChars);
  }

  /** `~/src`, and `devbox:~/src` for another machine. */
  place(id: string, path: string, maxChars?: number): string {
    const folder = this.folder(id, path, maxChars);
    const name = this.nameOf(id);
    return name === '' ? folder : strings.machines.place(name, folder);
  }

  /** Undefined until they are known. */
  agentsOf(key: string): readonly AgentChoice[] | undefined {
    return this.#agents.get(key);
  }

  async findAgents(machine: string): Promise<void> {
    const found = await this.#rpc.agent.list({ machine }).catch(() => undefined); // asked again at the next connection
    if (found) this.#agents.set(machine, found);
  }

  /** Its question is answered where its sheet is open; elsewhere a notice leads there. */
  isAsking({ key, question }: MachineView): boolean {
    return question !== null && this.sheet?.key !== key;
  }

  /** That keys may have arrived stays readable: those typed after them are not sent, which a bar says too. */
  #refuse(reason: string, code?: string): void {
    const now = performance.now();
    if (code === OUTCOME_UNKNOWN) this.#unsureMs = now;
    else if (now - this.#unsureMs < FAILURE_MS) return;
    this.onRefused(reason);
  }

  #tick(): void {
    clearInterval(this.#ticks);
    this.#ticks = undefined;
    this.nowMs = Date.now();
    if (!this.all.some(({ retryMs }) => retryMs !== null)) return;
    this.#ticks = setInterval(() => {
      this.nowMs = Date.now();
    }, 1000);
  }
}

/** The machine of `id` as an input names it; nothing for this one. */
export function onMachineOf(id: string | null | undefined): { machine?: string } {
  const machine = id == null ? null : machineOf(id);
  return machine === null ? {} : { machine };
}
