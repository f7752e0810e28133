import type { AgentState } from '../../contract/chat/chat.ts';
import type { TerminalColors } from '../../contract/screen/frame.ts';
import type { WaitResult } from '../../contract/screen/screen.ts';
import { afterLastUpdate } from '../emulator/afterLastUpdate.ts';
import type { ScreenSize } from '../emulator/ScreenModel.ts';
import type { FedBytes, OffsetMark, Question } from './screenProtocol.ts';

/** Bytes to parse before other terminals get their turn: under a millisecond of work for most output. */
const SLICE_BYTES = 32 * 1024;
/** A longer line is not looked for. */
const MAX_LINE_BYTES = 4 * 1024;
const LF = 0x0a;
/** A shorter backlog is not skimmed: the thousand lines to keep are most of it. */
const SKIM_BYTES = 256 * 1024;

export interface BytesItem {
  readonly type: 'bytes';
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly isReplay: boolean;
  /** These bytes were looked at by `skim`, and without many more behind them nothing of them can be skipped. */
  readonly isSkimmed?: true;
}

export type WorkItem =
  | BytesItem
  | { type: 'mark'; mark: OffsetMark }
  | { type: 'resize'; size: ScreenSize }
  | { type: 'colors'; colors: TerminalColors }
  | { type: 'ask'; call: number; what: Question }
  | { type: 'follow' | 'steps'; isOn: boolean }
  | { type: 'agent'; state: AgentState | null }
  | { type: 'exit'; exit: WaitResult['exit'] };

/** The pending work of one terminal, in the order of its stream. */
export class WorkQueue {
  #items: WorkItem[] = [];

  get first(): WorkItem | undefined {
    return this.#items[0];
  }

  get hasOne(): boolean {
    return this.#items.length === 1;
  }

  get hasBytes(): boolean {
    return this.#items.some(({ type }) => type === 'bytes');
  }

  push(item: WorkItem): void {
    this.#items.push(item);
  }

  shift(): void {
    this.#items.shift();
  }

  replaceFirst(item: WorkItem): void {
    this.#items[0] = item;
  }

  clear(): void {
    this.#items = [];
  }

  /** Removes the query of `call`. */
  forget(call: number): void {
    this.#items = this.#items.filter((item) => item.type !== 'ask' || item.call !== call);
  }

  /** Queues bytes and their marks. A mark before the bytes has lost its position. Without bytes and marks, the stream continues at `offset`. */
  feed({ offset, bytes, marks, isReplay }: FedBytes): void {
    if (bytes.length + marks.length === 0) this.#items.push({ type: 'bytes', offset, bytes, isReplay });
    let at = offset;
    const add = (to: number) => {
      const part = bytes.subarray(at - offset, to - offset);
      if (part.length > 0) this.#items.push({ type: 'bytes', offset: at, bytes: part, isReplay });
      at = Math.max(at, to);
    };
    for (const mark of marks) {
      add(Math.min(mark.offset, offset + bytes.length));
      this.#items.push({ type: 'mark', mark });
    }
    add(offset + bytes.length);
  }

  /** Enough of the bytes before the next item of another kind are new to skim them. */
  get isLong(): boolean {
    const { first } = this;
    const old = first?.type === 'bytes' && first.isSkimmed ? first.bytes.length : 0;
    return this.#backlog.reduce((sum, { bytes }) => sum + bytes.length, -old) >= SKIM_BYTES;
  }

  /** Joins all bytes before the next item of another kind into the first one. Null if no bytes wait. */
  joinBacklog(): BytesItem | null {
    const items = this.#backlog;
    const [first] = items;
    if (!first) return null;
    const { type, offset, isReplay } = first;
    const joined: BytesItem = { type, offset, isReplay, bytes: concat(items.map(({ bytes }) => bytes)) };
    this.#items.splice(0, items.length, joined);
    return joined;
  }

  get #backlog(): BytesItem[] {
    const items: BytesItem[] = [];
    for (const item of this.#items) {
      if (item.type !== 'bytes' || item.isReplay !== (items[0] ?? item).isReplay) break;
      items.push(item);
    }
    return items;
  }
}

/** The rest of the line that `bytes` begin in, its LF included; of a longer one a slice. */
export function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.subarray(0, MAX_LINE_BYTES).indexOf(LF) + 1;
  return end > 0 ? bytes.subarray(0, end) : firstSlice(bytes);
}

/** The bytes to parse in one turn. It ends after a synchronized update; otherwise readers would see each half-drawn screen. */
export function firstSlice(bytes: Uint8Array): Uint8Array {
  const slice = bytes.subarray(0, SLICE_BYTES);
  return slice.length === bytes.length ? slice : slice.subarray(0, afterLastUpdate(slice) || slice.length);
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}
