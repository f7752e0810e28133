import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { ReliableInput } from '../../src-renderer/rpc/ReliableInput.ts';
import { Flood } from '../machines/rig/Flood.ts';
import { Keys } from '../machines/rig/Keys.ts';
import type { ConnectedCore } from '../support/ConnectedCore.ts';
import { hostShells } from '../support/hostProcess.ts';
import { RecordScreen } from '../support/RecordScreen.ts';
import { soon } from '../support/soon.ts';
import { PlainKeys } from './PlainKeys.ts';

const KEY_EVERY_MS = 60;
const TICKING = fileURLToPath(new URL('../crash/tickingProgram.py', import.meta.url));
/** Programs that take keys: each writes what it gets to `typed/NAME`. */
const READERS = {
  cat: 'stty -echo; cat > typed/cat',
  vim: 'vim -u NONE -i NONE -c startinsert typed/vim',
  ticking: `python3 '${TICKING}' typed/ticking 1000000000`,
};

/** Pause of the flood, see `Flood.start`. */
const PAUSE_MS = 10;

interface Parts {
  readonly flood: Flood;
  readonly ids: Record<keyof typeof READERS, string>;
  /** Terminal id → its running block. */
  readonly blocks: Map<string, string>;
}

/**
 * Four shells at work: a numbered flood, cat, vim, and a program that draws all the time. Keys come into the last three, also while there is
 * no core: into cat and vim from a window, which sends a key again until it has an answer, into the other from a client that sends it once.
 */
export class BusyShells {
  readonly #core: ConnectedCore;
  readonly #parts: Parts;
  floodBytes = 0;
  readonly #windowKeys: Keys[];
  readonly plainKeys: PlainKeys;
  readonly #typing: NodeJS.Timeout;
  readonly #screens: ReadonlyMap<string, RecordScreen>;
  readonly #shells: ReadonlyMap<number, string | null>;

  private constructor(core: ConnectedCore, parts: Parts) {
    this.#core = core;
    this.#parts = parts;
    const { cat, vim, ticking } = parts.ids;
    const input = new ReliableInput();
    this.#windowKeys = [cat, vim].map(
      (id) =>
        new Keys((keys) =>
          input.send(id, keys, (data, piece) => core.api.terminal.write.mutate({ id, data, ...piece })),
        ),
    );
    this.plainKeys = new PlainKeys(core, ticking);
    this.#typing = setInterval(() => {
      for (const keys of [...this.#windowKeys, this.plainKeys]) keys.type();
    }, KEY_EVERY_MS);
    this.#screens = new Map([...parts.blocks.keys()].map((id) => [id, new RecordScreen(core.dataFolder, id)]));
    this.#shells = hostShells(core.dataFolder);
    expect(this.#shells.size).toBeGreaterThanOrEqual(this.#screens.size);
  }

  static async start(core: ConnectedCore): Promise<BusyShells> {
    mkdirSync(join(core.dataFolder, 'typed'));
    const flood = await Flood.start(core, PAUSE_MS);
    const ids = { cat: await core.open(), vim: await core.open(), ticking: await core.open() };
    for (const [name, id] of Object.entries(ids)) await core.begin(id, READERS[name as keyof typeof ids]);
    await soon(() => ['cat', 'ticking'].map((name) => existsSync(core.path(`typed/${name}`)))).toEqual([true, true]);
    await soon(async () => (await core.rows(ids.vim)).at(-1)).toContain('[New File]');
    const blocks = new Map<string, string>();
    for (const id of [flood.id, ...Object.values(ids)]) blocks.set(id, (await core.lastBlock(id))?.id ?? '');
    return new BusyShells(core, { flood, ids, blocks });
  }

  get keys(): number {
    return this.#windowKeys.reduce((sum, { count }) => sum + count, 0);
  }

  /** Expects all shells of the host, their blocks and the screens. */
  async expectAlive(): Promise<void> {
    expect(hostShells(this.#core.dataFolder)).toEqual(this.#shells);
    for (const [id, blockId] of this.#parts.blocks) await this.#core.hasBlock(id, { id: blockId, status: 'running' });
    await this.#expectScreens();
  }

  /** Ends the flood, expects each byte once, and starts another, so that a new core has less to read again. */
  async renewFlood(): Promise<void> {
    const { flood, blocks } = this.#parts;
    this.floodBytes += await flood.stop();
    rmSync(this.#core.path('stop'));
    await Flood.start(this.#core, PAUSE_MS, flood.id);
    blocks.set(flood.id, (await this.#core.lastBlock(flood.id))?.id ?? '');
  }

  /** Ends the four programs, and expects each byte and key once. */
  async finish(): Promise<void> {
    const { flood, ids, blocks } = this.#parts;
    clearInterval(this.#typing);
    const texts = await Promise.all(this.#windowKeys.map((keys) => keys.taken()));
    await soon(() => this.plainKeys.count('open')).toBe(0);
    this.floodBytes += await flood.stop();
    const ends: [string, string][] = [
      [ids.cat, '\x04'],
      [ids.vim, '\x1b:wq\r'],
      [ids.ticking, 'q'],
    ];
    for (const [id, data] of ends) await this.#core.api.terminal.write.mutate({ id, data });
    for (const [id, blockId] of blocks)
      await this.#core.hasBlock(id, { id: blockId, status: 'completed', exitCode: 0 });
    const [cat, vim, ticking] = Object.keys(READERS).map((name) =>
      readFileSync(this.#core.path(`typed/${name}`), 'utf8'),
    );
    expect([cat, vim?.trimEnd()]).toEqual([texts[0], texts[1]?.trimEnd()]);
    this.plainKeys.expectIn(ticking?.replace(/q$/, '') ?? '');
    await this.#expectScreens();
  }

  async #expectScreens(): Promise<void> {
    const { api } = this.#core;
    for (const [id, screen] of this.#screens)
      await (id === this.#parts.ids.ticking ? screen.settlesIn(api) : screen.isShownBy(api));
  }

  dispose(): void {
    clearInterval(this.#typing);
    for (const screen of this.#screens.values()) screen.dispose();
  }
}
