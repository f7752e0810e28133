import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Notice } from '../../../src-main/contract/notice.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import { ConversationStore } from '../../../src-main/conversations/record/ConversationStore.ts';
import { SettingsStore } from '../../../src-main/core/SettingsStore.ts';
import { Notices } from '../../../src-main/notices/Notices.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { Telemetry } from '../../../src-main/telemetry/Telemetry.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { soon } from '../../support/soon.ts';
import type { Talk } from './talks.ts';

const SETTLED_MS = 30_000;

/** Telemetry on its own data folder, with conversation files as terminals write them and a clock that the test advances. */
export class OpenedTelemetry {
  readonly dataFolder = mkdtempSync(join(tmpdir(), 'hansard-telemetry-'));
  readonly notices = new Notices();
  readonly raised: Notice[] = [];
  readonly privateIds = new Set<string>();
  readonly privateFolders = new Set<string>();
  readonly clock: FakeClock;
  settings!: SettingsStore;
  telemetry!: Telemetry;
  readonly #written = new Map<string, number>();

  private constructor(clock: FakeClock) {
    this.clock = clock;
  }

  static async open(settings: Partial<Settings> = {}): Promise<OpenedTelemetry> {
    const opened = new OpenedTelemetry(new FakeClock());
    await opened.start();
    await opened.set(settings);
    return opened;
  }

  async start(): Promise<void> {
    this.settings = (await SettingsStore.open(this.dataFolder)).settings;
    const raise = this.notices.raise.bind(this.notices);
    this.notices.raise = (notice) => {
      this.raised.push({ ...notice, cleared: false });
      raise(notice);
    };
    let ids = 0;
    this.telemetry = await Telemetry.open({
      dataFolder: this.dataFolder,
      clock: this.clock,
      notices: this.notices,
      settings: this.settings,
      chats: new ConversationStore(
        this.dataFolder,
        () => undefined,
        () => true,
      ),
      isPrivate: (id, cwd) => this.privateIds.has(id) || this.privateFolders.has(cwd ?? ''),
      hostName: 'ada-laptop',
      files: { version: '9.9.9' },
      randomId: (bytes) => String(++ids).padStart(bytes * 2, '0'),
    });
    this.telemetry.start();
  }

  /** Stops telemetry as quitting does, and starts it again. */
  async restart(): Promise<void> {
    await this.telemetry.stop();
    await this.start();
  }

  async dispose(): Promise<void> {
    await this.telemetry.stop();
    rmSync(this.dataFolder, { recursive: true, force: true });
  }

  /** Changes settings; resolves when telemetry follows them. */
  async set(change: Partial<Settings>): Promise<void> {
    await this.settings.update(change);
    const isOn = this.settings.value['telemetry.enabled'];
    await soon(() => (this.telemetry.status.sinceMs !== null) === isOn).toBe(true);
  }

  /** The clock's time, for the first line of a talk. */
  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** Appends the talk's new lines to its terminal's chat.jsonl and reports the change as the core does. */
  write(talk: Talk): void {
    const { terminalId, id } = talk.conversation;
    const path = new SessionFolder(this.dataFolder, terminalId).chatJsonl;
    mkdirSync(dirname(path), { recursive: true });
    const key = `${terminalId}/${id}`;
    const from = this.#written.get(key) ?? 0;
    if (from === 0 && !this.#written.has(key)) writeFileSync(path, '', { flag: 'a' });
    appendFileSync(
      path,
      talk.lines
        .slice(from)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    this.#written.set(key, talk.lines.length);
    utimesSync(path, this.nowMs / 1000, this.nowMs / 1000);
    this.telemetry.poke(terminalId);
  }

  /** Advances the clock until ended turns have settled and telemetry has read them. */
  async settle(ms = SETTLED_MS): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5_000) {
      this.clock.advance(5_000);
      await quiet();
    }
  }

  /** Advances the clock until `look` returns `wanted`. */
  until<T>(look: () => T, wanted: T): Promise<unknown> {
    return soon(() => {
      this.clock.advance(5_000);
      return look();
    }).toEqual(wanted);
  }

  texts(key: string): string[] {
    return this.raised.filter((notice) => notice.key === `telemetry/${key}`).map(({ text }) => text);
  }
}

/** Waits 20 turns of the event loop, in which file reads and local requests usually end. Tests poll their condition with `soon`. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
