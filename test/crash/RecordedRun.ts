import type { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { ConversationRecorder } from '../../src-main/conversations/record/ConversationRecorder.ts';
import type { ScreenHost } from '../../src-main/screen/worker/ScreenHost.ts';
import { AuditLog } from '../../src-main/store/audit/auditLog.ts';
import { ScreenFile } from '../../src-main/store/record/ScreenFile.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BlockStore } from '../../src-main/terminal/blocks/BlockStore.ts';
import { CommandHistory } from '../../src-main/terminal/blocks/CommandHistory.ts';
import { TerminalRecord } from '../../src-main/terminal/TerminalRecord.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { anEntry } from '../store/auditFolder.ts';
import { FakeClock } from '../store/FakeClock.ts';
import { PowerCutDisk } from '../store/PowerCutDisk.ts';
import { streamBytes } from './streamBytes.ts';

const ID = 't1';

/** An event in the life of a terminal; `bytes` is the length of its output. */
export type Happening =
  | { type: 'output'; bytes: number }
  | { type: 'command' | 'chat' | 'screen' | 'audit' | 'resize' }
  | { type: 'wait'; ms: number };

/** Writes a terminal's whole record with the core's own classes to a disk whose power can be cut. */
export class RecordedRun {
  readonly disk: PowerCutDisk;
  readonly folder: SessionFolder;
  readonly auditPath: string;
  readonly #clock = new FakeClock();
  readonly #record: TerminalRecord;
  readonly #book: BlockStore;
  readonly #chat: ConversationRecorder;
  readonly #screen: ScreenFile;
  readonly #audit: AuditLog;
  #count = 0;

  private constructor(dataFolder: string, disk: PowerCutDisk, audit: AuditLog, clock: FakeClock) {
    this.#clock = clock;
    this.disk = disk;
    this.folder = new SessionFolder(dataFolder, ID);
    this.auditPath = audit.path;
    this.#audit = audit;
    const deps = {
      log: silentLog,
      clock,
      disk,
      history: new CommandHistory(),
      screens: {} as ScreenHost, // nothing here is rendered
      randomId: (bytes: number) => 'ab'.repeat(bytes),
    };
    const meta = {
      version: 1 as const,
      id: ID,
      shell: 'bash',
      argv: ['/bin/bash'],
      cwd: '/',
      cols: 80,
      rows: 24,
      createdMs: clock.nowMs(),
      title: '',
    };
    this.#record = new TerminalRecord(this.folder, { meta, rawSize: 0 }, deps);
    this.#book = new BlockStore(deps, this.#record, { nextSeq: 1 });
    this.#chat = new ConversationRecorder(this.#record, deps);
    this.#screen = new ScreenFile(this.folder.screenJsonl, { ...deps, onKeyframeWanted: () => undefined });
  }

  static async start(dataFolder: string): Promise<RecordedRun> {
    const disk = new PowerCutDisk(dataFolder);
    const clock = new FakeClock();
    const { log } = await AuditLog.open(`${dataFolder}/audit.jsonl`, {
      clock,
      disk,
      log: silentLog,
      clean: (text) => text,
    });
    return new RecordedRun(dataFolder, disk, log, clock);
  }

  async happens(what: Happening): Promise<void> {
    this.#count += 1;
    switch (what.type) {
      case 'output':
        return this.#output(what.bytes);
      case 'command':
        return this.#command();
      case 'chat':
        return this.#chat.write([message(this.#count, this.#record.size)]);
      case 'screen':
        return void this.#screen.append({
          seq: this.#count,
          epoch: 'e.1',
          ts: this.#clock.nowMs(),
          keyframe: true,
          cols: 80,
          rows_count: 24,
          rows: [{ row: 0, text: `line ${this.#count}` }],
        });
      case 'audit':
        return void this.#audit.write(anEntry({ what: `call ${this.#count}` }));
      case 'resize':
        return this.#record.resized({ cols: 80 + (this.#count % 40), rows: 24 });
      case 'wait':
        this.#clock.advance(what.ms);
        return settled();
    }
  }

  async close(): Promise<void> {
    const closing = Promise.all([this.#book.close(), this.#chat.close(), this.#screen.close(), this.#audit.close()]);
    for (let turn = 0; turn < 5; turn += 1) {
      this.#clock.advance(2_000);
      await settled();
    }
    await closing;
    await this.#record.close();
  }

  #output(length: number): void {
    const at = this.#record.size;
    const bytes = streamBytes(at, length);
    this.#record.append(bytes);
    this.#book.take({ type: 'output', at, end: at + length, bytes }, this.#now());
  }

  /** Ends the running command, or begins one. */
  #command(): void {
    const at = this.#record.size;
    const mark = { at, end: at, trusted: true, by: 'hook' } as const;
    if (this.#book.running) this.#book.take({ type: 'end', ...mark, exitCode: 0 }, this.#now());
    else
      this.#book.take(
        { type: 'begin', ...mark, cmd: `run ${this.#count}`, cwd: '/', ignoresSpace: false },
        this.#now(),
      );
  }

  #now(): { atMs: number; monoMs: number } {
    return { atMs: this.#clock.nowMs(), monoMs: this.#clock.monotonicMs() };
  }
}

/** Resolves when all work without a timer is done. Takes several turns because `replaceFile` uses the real disk. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function message(order: number, at: number): ChatMessage {
  return {
    id: `m${order}`,
    terminalId: ID,
    conversationId: 'c1',
    order,
    kind: 'model',
    text: `answer ${order}`,
    final: true,
    startedMs: 1,
    updatedMs: 2,
    provenance: { rawStart: 0, rawEnd: at, seq: 1, extractor: 'test', extractorVersion: 1, confidence: 1 },
    actor: 'user',
    origins: ['screen'],
  };
}
