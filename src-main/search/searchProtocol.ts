import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import type { OutputScan, OutputScanned } from './scanOutput.ts';

/** `workerData` of the search worker. */
export interface SearchStart {
  dataFolder: string;
}

export type ToSearch =
  /** The lists of this terminal were written. */
  | { type: 'poke'; terminalId: string }
  /** Terminals may have been added or removed. */
  | { type: 'look' }
  | { type: 'find'; call: number; query: SearchQuery }
  | { type: 'scan'; call: number; scan: OutputScan }
  /** Ends a `find` or a `scan`. */
  | { type: 'stopFind'; call: number }
  /** Close the index; `closed` follows. */
  | { type: 'close' };

export type FromSearch =
  | { type: 'event'; call: number; event: SearchEvent }
  | { type: 'scanned'; call: number; scanned: OutputScanned }
  | { type: 'failed'; call: number; reason: string }
  | { type: 'log'; event: string; fields: Record<string, string | number> }
  | { type: 'closed' };
