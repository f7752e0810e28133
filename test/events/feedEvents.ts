import type { TerminalEvent } from '../../src-main/contract/event.ts';
import { NonceMask } from '../../src-main/events/masks/NonceMask.ts';
import { PtyDataProcessor } from '../../src-main/events/PtyDataProcessor.ts';
import { NONCE } from './terminalStream.ts';

export type PlainEvent =
  | Exclude<TerminalEvent, { type: 'output' }>
  | { type: 'output'; at: number; end: number; hex: string };

/** All events of a stream in `chunks`, after mask and processor, with adjacent output joined. */
export function feedEvents(chunks: readonly Uint8Array[], isEnded = true): PlainEvent[] {
  const mask = new NonceMask(NONCE);
  const processor = new PtyDataProcessor();
  const events: PlainEvent[] = [];
  const take = (found: TerminalEvent[]) => {
    for (const event of found) add(events, event);
  };
  for (const chunk of chunks) take(processor.feed(mask.feed(chunk), 0));
  if (isEnded) {
    take(processor.feed(mask.end(), 0));
    take(processor.end());
  }
  return events;
}

function add(events: PlainEvent[], event: TerminalEvent): void {
  if (event.type !== 'output') {
    events.push(event);
    return;
  }
  const last = events.at(-1);
  const hex = Buffer.from(event.bytes).toString('hex');
  if (last?.type === 'output' && last.end === event.at) {
    last.hex += hex;
    last.end = event.end;
  } else events.push({ type: 'output', at: event.at, end: event.end, hex });
}

export const textOf = (events: readonly PlainEvent[]) =>
  Buffer.from(events.map((event) => (event.type === 'output' ? event.hex : '')).join(''), 'hex').toString();

export const withoutOutput = (events: readonly PlainEvent[]) => events.filter((event) => event.type !== 'output');
