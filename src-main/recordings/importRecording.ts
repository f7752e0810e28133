import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TerminalEvent } from '../contract/event.ts';
import type { TerminalMeta } from '../contract/terminal.ts';
import { type ChatRecordDeps, ConversationRecorder } from '../conversations/record/ConversationRecorder.ts';
import { MaskedNonces } from '../events/masks/MaskedNonces.ts';
import { PtyDataProcessor } from '../events/PtyDataProcessor.ts';
import type { ScreenHandle } from '../screen/worker/ScreenHandle.ts';
import { processStart } from '../store/files/processIdentity.ts';
import { SessionFolder, terminalsFolder } from '../store/record/SessionFolder.ts';
import { BlockStore } from '../terminal/blocks/BlockStore.ts';
import { CommandHistory } from '../terminal/blocks/CommandHistory.ts';
import { ScreenRecord } from '../terminal/screen/ScreenRecord.ts';
import { screenMark } from '../terminal/screen/screenMark.ts';
import type { BookDeps } from '../terminal/TerminalDeps.ts';
import { TerminalRecord } from '../terminal/TerminalRecord.ts';
import { type Clock, systemClock } from '../util/Clock.ts';
import { ImportedChats, type PlacedMark, titleOf } from './importChats.ts';
import { BadRecording, type RecordedEvent, type Recording } from './openRecording.ts';

/** As for a live terminal: without marks for this long, all output is one card; sooner in a flood. */
const NO_MARKS_AFTER_MS = 10_000;
const NO_MARKS_AFTER_BYTES = 4 * 1024 * 1024;
const SCREEN_HIGH_WATER_BYTES = 2 * 1024 * 1024;
const MIN_SIZE = 2;
const MAX_SIZE = 1000;
const SCROLLBACK_LINES = 1000;

export type ImportDeps = Pick<BookDeps, 'log' | 'screens' | 'randomId'> & {
  dataFolder: string;
  hostName: string;
  /** Name of the agent of its conversation, if known. */
  agent?: string | undefined;
};

export interface Imported {
  id: string;
  rawBytes: number;
  blocks: number;
  conversations: number;
  notes: string[];
}

/**
 * Imports a recording as a terminal of the record, through the same stages as a live one: output.raw, its times, blocks with their
 * text, events, screen. Its cards are untrusted, because a recording proves nothing, and a recording without marks is one
 * card. The files are written elsewhere and then added to the record in one step, or not at all. Throws a BadRecording.
 */
export async function importRecording(recording: Recording, name: string | null, deps: ImportDeps): Promise<Imported> {
  sweep(deps.dataFolder);
  const id = `t${systemClock.nowMs().toString(36)}-${deps.randomId(4)}`;
  const workshop = join(deps.dataFolder, `importing-${process.pid}-${deps.randomId(4)}`);
  try {
    const folder = new SessionFolder(workshop, id);
    folder.create();
    const imported = await replay(folder, { ...recording, title: name ?? recording.title }, deps);
    mkdirSync(terminalsFolder(deps.dataFolder), { recursive: true, mode: 0o700 });
    await rename(folder.root, new SessionFolder(deps.dataFolder, id).root);
    return imported;
  } finally {
    await recording.events.return(undefined);
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function replay(folder: SessionFolder, recording: Recording, deps: ImportDeps): Promise<Imported> {
  const terminal = new ReplayedTerminal(folder, recording, deps);
  try {
    for await (const event of recording.events) await terminal.take(event);
    return { id: folder.id, ...(await terminal.end()), notes: [...recording.notes, ...terminal.notes] };
  } finally {
    await terminal.close();
  }
}

/** Removes leftovers of a killed import. */
function sweep(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    const pid = /^importing-(\d+)-[0-9a-f]+$/.exec(name)?.[1];
    if (pid !== undefined && processStart(Number(pid)) === null)
      rmSync(join(dataFolder, name), { recursive: true, force: true });
  }
}

/** The stages of `PtyInstance` without a process: bytes and times come from the recording. */
class ReplayedTerminal {
  readonly notes: string[] = [];
  readonly #record: TerminalRecord;
  readonly #book: BlockStore;
  readonly #screen: ScreenHandle;
  readonly #screenRecord: ScreenRecord;
  readonly #events: PtyDataProcessor;
  readonly #nonces = new MaskedNonces();
  readonly #chats: ImportedChats;
  readonly #chatDeps: ChatRecordDeps;
  readonly #startMs: number;
  #nowMs: number;
  #size: { cols: number; rows: number };
  #hasMarks = false;
  #isOneCard = false;
  #exitCode: number | null = null;
  /** Working directory according to the recording. */
  #cwd: string | null = null;
  #drained: (() => void) | null = null;

  constructor(folder: SessionFolder, recording: Recording, deps: ImportDeps) {
    this.#startMs = this.#nowMs = recording.startMs;
    this.#size = this.#clamp(recording);
    const clock: Clock = { ...systemClock, nowMs: () => this.#nowMs };
    const meta = metaOf(folder.id, recording, this.#size);
    this.#record = new TerminalRecord(folder, { meta, rawSize: 0 }, { log: deps.log, clock, timesEveryMs: 0 });
    const bookDeps = { ...deps, clock, history: new CommandHistory() };
    this.#book = new BlockStore(bookDeps, this.#record, { nextSeq: 1 });
    this.#screen = deps.screens.open(folder.id, { ...this.#size, scrollbackLines: SCROLLBACK_LINES, startOffset: 0 });
    this.#screen.onDrain(() => this.#drained?.());
    this.#screenRecord = new ScreenRecord(this.#screen, this.#record, { clock: systemClock, log: deps.log });
    this.#book.texts.beginRowOf = async (rawStart) =>
      (await this.#screen.beginRows()).find(({ offset }) => offset === rawStart)?.row ?? 0;
    this.#events = new PtyDataProcessor({ hostName: deps.hostName });
    this.#chatDeps = { log: deps.log, clock: systemClock };
    this.#chats = new ImportedChats({
      id: folder.id,
      agent: deps.agent,
      startMs: this.#startMs,
      size: this.#size,
      newId: () => deps.randomId(6),
    });
    this.#record.started([], false);
    this.#book.started(0, false, this.#nowMs);
  }

  async take(event: RecordedEvent): Promise<void> {
    this.#requireDisk();
    this.#nowMs = Math.max(this.#nowMs, event.atMs);
    switch (event.type) {
      case 'output':
        return this.#feed(event.bytes);
      case 'resize':
        return this.#resize(event);
      case 'marker':
        return this.#record.write({ type: 'marker', atMs: this.#nowMs, at: this.#record.size, label: event.label });
      case 'exit':
        this.#exitCode = event.exitCode;
    }
  }

  async end(): Promise<{ rawBytes: number; blocks: number; conversations: number }> {
    for (const event of this.#events.end()) this.#handleEvent(event);
    this.#oneCard();
    const exit = { exitCode: this.#exitCode, signal: null };
    this.#book.shellExited(exit, this.#now());
    this.#record.exited(exit.exitCode, null);
    await this.#book.texts.settled();
    const conversations = await this.#writeChats();
    if (this.#cwd !== null) this.#record.moved(this.#cwd);
    await this.#record.sync();
    this.#requireDisk();
    return { rawBytes: this.#record.size, blocks: this.#book.lastSeq, conversations };
  }

  async close(): Promise<void> {
    this.#chats.dispose();
    await this.#screenRecord.close();
    await this.#book.close();
    await this.#record.close();
    this.#screen.dispose();
  }

  /** Returns the number of conversations. No other process uses the folder yet: it is added to the record completely, or removed. */
  async #writeChats(): Promise<number> {
    const lines = this.#chats.end();
    const title = titleOf(lines, this.#cwd);
    if (title !== null && this.#record.meta.name === undefined) this.#record.described({ name: title });
    const chat = new ConversationRecorder(this.#record, this.#chatDeps);
    chat.write(lines);
    await chat.close();
    this.#requireDisk();
    return new Set(lines.map(({ conversationId }) => conversationId)).size;
  }

  #requireDisk(): void {
    if (this.#record.fault !== null) throw new BadRecording(`the record cannot be written: ${this.#record.fault}`);
  }

  async #feed(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    const offset = this.#record.append(bytes);
    let needsText = false;
    const marks: PlacedMark[] = [];
    for (const event of this.#events.feed({ bytes, nonceAt: this.#nonces.feed(bytes) }, this.#now().monoMs)) {
      this.#handleEvent(event);
      if (event.type === 'begin' || event.type === 'end' || event.type === 'prompt')
        marks.push({ event, blockId: this.#book.runningId });
      needsText ||= event.type === 'begin' && event.cmd === null;
    }
    this.#screen.write(bytes, offset);
    this.#chats.feed(bytes, marks, this.#nowMs);
    if (needsText) await this.#readCommand();
    if (this.#nowMs - this.#startMs > NO_MARKS_AFTER_MS || this.#record.size > NO_MARKS_AFTER_BYTES) this.#oneCard();
    if (this.#screen.backlogBytes > SCREEN_HIGH_WATER_BYTES) await this.#drain();
  }

  /** Any program may have printed the content of a recording, so its marks are only claims. */
  #handleEvent(event: TerminalEvent): void {
    const mark = screenMark(event);
    for (const kind of mark?.kinds ?? []) this.#screen.mark(kind, mark?.offset ?? 0);
    if (event.type === 'cwd') this.#cwd = event.path;
    if (event.type === 'begin' || event.type === 'prompt') this.#cwd = event.cwd ?? this.#cwd;
    if (event.type === 'begin' || event.type === 'end' || event.type === 'prompt') {
      this.#hasMarks = true;
      this.#book.take({ ...event, trusted: false }, this.#now());
    } else this.#book.take(event, this.#now());
  }

  async #readCommand(): Promise<void> {
    const blockId = this.#book.runningId;
    const text = await this.#screen.commandText();
    if (blockId !== null) this.#book.textRead(blockId, text, this.#now());
  }

  /** Without marks, all output belongs to one card from the start. */
  #oneCard(): void {
    if (this.#hasMarks || this.#isOneCard) return;
    this.#isOneCard = true;
    this.#book.noMarks({ atMs: this.#startMs, monoMs: 0 });
  }

  #resize(event: { cols: number; rows: number }): void {
    const size = this.#clamp(event);
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#screen.resize(size);
    this.#chats.resize(size, this.#nowMs);
    this.#record.resized(size);
  }

  #clamp({ cols, rows }: { cols: number; rows: number }): { cols: number; rows: number } {
    const within = (count: number): number => Math.min(MAX_SIZE, Math.max(MIN_SIZE, count));
    const size = { cols: within(cols), rows: within(rows) };
    if (size.cols !== cols || size.rows !== rows)
      this.notes.push(`a screen of ${cols}x${rows} was taken as ${size.cols}x${size.rows}`);
    return size;
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = () => {
        this.#drained = null;
        resolve();
      };
    });
  }

  #now(): { atMs: number; monoMs: number } {
    return { atMs: this.#nowMs, monoMs: this.#nowMs - this.#startMs };
  }
}

function metaOf(id: string, recording: Recording, size: { cols: number; rows: number }): TerminalMeta {
  return {
    version: 1,
    id,
    shell: recording.shell === null ? 'recording' : basename(recording.shell),
    argv: recording.shell === null ? [] : [recording.shell],
    cwd: '/',
    ...size,
    createdMs: Math.round(recording.startMs),
    title: '',
    ...(recording.title !== null && { name: recording.title.slice(0, 200) }),
    origin: 'import',
  };
}
