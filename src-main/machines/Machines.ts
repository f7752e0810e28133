import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type MachineKey,
  MachineName,
  type MachineQuestion,
  MachinesFile,
  type MachinesView,
  type MachineView,
} from '../contract/machines.ts';
import { readJsonFile, replaceFile } from '../store/files/replaceFile.ts';
import type { Clock } from '../util/Clock.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import type { LinkSpec } from './LinkSpec.ts';
import { type RemoteLists, remoteLists } from './listKinds.ts';
import { MachineLink } from './MachineLink.ts';
import { ClockLead, onOurClock } from './ourClock.ts';
import { PortForwards } from './PortForwards.ts';
import { leftServer } from './RemoteSide.ts';

export interface MachinesSpec extends Omit<LinkSpec, 'key' | 'name' | 'listed' | 'shownAs'> {
  readonly dataFolder: string;
  /** This machine's name, by which other machines identify the source of a call. */
  readonly hostName: string;
  /** Of this core. */
  readonly coreId: string;
  /** Removes the Hansard that was copied to a machine. */
  readonly removeServer: (link: MachineLink) => Promise<void>;
}

/** Machines in these states are reconnected when Hansard starts; one that failed is not. */
const WANTED = new Set<MachineView['state']>(['connected', 'connecting', 'lost']);

type Verdict = { ok: true } | { ok: false; reason: string };
/** `left`: why the Hansard that was copied there is still there, and how to remove it. */
type Forgotten = { ok: true; left?: string } | { ok: false; reason: string };

/** Characters of `[a-z0-9]` in a key. */
const KEY_CHARS = 6;

/** The machines that the person reaches by ssh, and what is open on them. Saved in machines.json; their record stays on them. */
export class Machines {
  readonly #spec: MachinesSpec;
  readonly #links = new Map<MachineKey, MachineLink>();
  readonly #changed = new Emitter<void>();
  readonly #writing = new SerialQueue();
  readonly #forwards: PortForwards;
  readonly lists: RemoteLists;

  readonly onChange = this.#changed.on;

  private constructor(spec: MachinesSpec) {
    this.#spec = spec;
    this.lists = remoteLists(spec.clock);
    const cut = new Map<MachineKey, boolean>();
    for (const list of this.#shownLists)
      list.onChange(() => {
        for (const key of this.#links.keys()) {
          if (cut.get(key) === this.#isCut(key)) continue;
          cut.set(key, this.#isCut(key));
          this.#changed.fire();
        }
      });
    this.#forwards = new PortForwards(spec.env);
  }

  /** Reads machines.json and reconnects earlier machines in the background. */
  static async open(spec: MachinesSpec): Promise<Machines> {
    const machines = new Machines(spec);
    const read = await readJsonFile(machines.#path, MachinesFile);
    const kept = read.status === 'ok' ? read.value.machines : [];
    await sweep(spec.folder);
    for (const { key, name, isOn } of kept) {
      if (machines.#links.has(key)) continue; // edited by hand
      const link = machines.#add(key, name);
      if (!isOn) continue;
      machines.lists.terminals.expect(key);
      link.connect({ isAgain: true });
    }
    return machines;
  }

  /** The lists in which a person looks for something. */
  get #shownLists() {
    const { terminals, agents, approvals } = this.lists;
    return [terminals, agents, approvals];
  }

  #isCut(key: MachineKey): boolean {
    return this.#shownLists.some((list) => list.isCut(key));
  }

  get view(): MachinesView {
    return { machines: [...this.#links.values()].map(({ view }) => ({ ...view, isCut: this.#isCut(view.key) })) };
  }

  follow(signal?: AbortSignal): AsyncGenerator<MachinesView> {
    const latest = (): MachinesView => this.view;
    return follow(
      (listener) => this.#changed.on(() => listener(latest())),
      () => [latest()],
      signal,
    );
  }

  get hostName(): string {
    return this.#spec.hostName;
  }

  get clock(): Clock {
    return this.#spec.clock;
  }

  /** Undefined for an unknown machine. */
  find(key: MachineKey): MachineLink | undefined {
    return this.#links.get(key);
  }

  get connected(): MachineLink[] {
    return [...this.#links.values()].filter(({ view }) => view.state === 'connected');
  }

  /** Wanted machines that cannot be asked now. */
  get absent(): MachineView[] {
    return this.view.machines.filter(({ state }) => state === 'lost' || state === 'connecting');
  }

  /** Adds a machine, if it is new, and begins to connect. */
  async connect(name: string): Promise<{ ok: true; key: MachineKey } | { ok: false; reason: string }> {
    const read = MachineName.safeParse(name.trim());
    if (!read.success)
      return { ok: false, reason: `"${name}" is no ssh destination. Use a name of ~/.ssh/config, or user@host.` };
    const known = this.view.machines.find((one) => one.name === read.data);
    const key = known?.key ?? this.#newKey();
    const link = this.#links.get(key) ?? this.#add(key, read.data);
    link.connect();
    detach('Machines', this.#save());
    return { ok: true, key };
  }

  disconnect(key: MachineKey): void {
    const link = this.#links.get(key);
    if (!link) return;
    link.disconnect();
    for (const list of Object.values(this.lists)) list.leave(key);
    detach('Machines', this.#save());
  }

  /**
   * `server`: also removes the Hansard that was copied there, for which a machine that the person has disconnected is connected once more. One that
   * cannot be reached is forgotten without that, and `left` says what to run there. One that asks something first is kept.
   */
  async forget(key: MachineKey, { server }: { server: boolean }): Promise<Forgotten> {
    const link = this.#links.get(key);
    if (!link) return { ok: false, reason: 'This machine is not in the list.' };
    const { name } = link.view;
    const question = server && link.view.state === 'off' ? await this.#reach(link) : null;
    if (question !== null && question.kind !== 'setup') {
      this.disconnect(key);
      return {
        ok: false,
        reason: `${name} asks something before it connects, so nothing was removed. Connect it first.`,
      };
    }
    const { state } = link.view;
    if (server && state === 'connected') {
      try {
        link.removing = this.#spec.removeServer(link); // the core ends there and closes our pipe
        await link.removing;
      } catch (error) {
        return { ok: false, reason: error instanceof Error ? error.message : String(error) };
      }
    }
    this.disconnect(key);
    link.dispose();
    this.#links.delete(key);
    this.#changed.fire();
    await this.#save();
    const isLeft = server && state !== 'connected' && question === null; // asked for a set-up, it has no copy
    return { ok: true, ...(isLeft && { left: leftServer(name) }) };
  }

  /** Connects it. Resolves once it is connected or cannot be, or with the question that it asks before. */
  async #reach(link: MachineLink): Promise<MachineQuestion | null> {
    const { promise, resolve } = Promise.withResolvers<MachineQuestion | null>();
    const watching = link.onChange(({ view: { state, question } }) => {
      if (state !== 'connecting' || question !== null) resolve(question);
    });
    link.connect();
    return promise.finally(() => watching.dispose());
  }

  async forward(
    key: MachineKey,
    port: number,
  ): Promise<{ ok: true; localPort: number } | { ok: false; reason: string }> {
    const link = this.#links.get(key);
    if (link?.view.state !== 'connected') return { ok: false, reason: 'The machine is not connected.' };
    return this.#forwards.add(link, port);
  }

  async unforward(key: MachineKey, port: number): Promise<Verdict> {
    const link = this.#links.get(key);
    if (!link) return { ok: false, reason: 'This machine is not in the list.' };
    return this.#forwards.remove(link, port);
  }

  /** Ends all connections. Resolves when the list is saved. */
  async stop(): Promise<void> {
    for (const link of this.#links.values()) link.dispose();
    for (const list of Object.values(this.lists)) list.dispose();
    this.#changed.dispose();
    await this.#writing.idle();
  }

  /** The caller connects it, which reports it; before that it would look like one that could not be connected. */
  #add(key: MachineKey, name: string): MachineLink {
    const { openApi, clock } = this.#spec;
    const lead = new ClockLead();
    const link = new MachineLink({
      ...{ ...this.#spec, key, name, listed: (of) => this.#untilListed(of) },
      openApi: (pipe, token) => onOurClock(openApi(pipe, token), lead, clock),
      shownAs: (coreId) => this.#shownAs(coreId, key),
    });
    this.#links.set(key, link);
    let last = link.view.state;
    link.onChange(({ view: { state } }) => {
      this.#changed.fire();
      if (state !== last && (state === 'connected' || state === 'failed')) detach('Machines', this.#save());
      last = state;
    });
    link.onUp(() => {
      for (const list of Object.values(this.lists)) list.follow(key, link);
    });
    return link;
  }

  /** The reason if the window already shows that core, as this machine or under another name; else null. */
  #shownAs(coreId: string, key: MachineKey): string | null {
    if (coreId === this.#spec.coreId)
      return 'That is the Hansard of this window itself: its terminals are here already. A second one needs another account or data folder.';
    const isSame = ({ view, api }: MachineLink): boolean =>
      view.key !== key && api !== null && view.info?.coreId === coreId;
    const other = [...this.#links.values()].find(isSame);
    return other ? `That machine is connected already, as ${other.view.name}.` : null;
  }

  #untilListed(key: MachineKey): Promise<void> {
    return new Promise((resolve) => {
      const listening = this.lists.terminals.onChange((change) => {
        if (change.type !== 'all' || change.key !== key) return;
        listening.dispose();
        resolve();
      });
    });
  }

  #newKey(): MachineKey {
    for (;;) {
      const key = this.#spec.randomId(KEY_CHARS / 2);
      if (!this.#links.has(key)) return key;
    }
  }

  get #path(): string {
    return join(this.#spec.dataFolder, 'machines.json');
  }

  #save(): Promise<void> {
    const machines = this.view.machines.map(({ key, name, state }) => ({ key, name, isOn: WANTED.has(state) }));
    const file: MachinesFile = { version: 1, machines };
    return this.#writing.run(() => replaceFile(this.#path, `${JSON.stringify(file, null, 2)}\n`));
  }
}

/** Folders of questions and control sockets left by a killed core. */
const LEFT = /^ask-[0-9a-f]{8}$|^[a-z0-9]{6}-[0-9a-f]{4}$/;

async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []); // no machine was connected before
  for (const name of names.filter((each) => LEFT.test(each)))
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined); // its name is not reused
}
