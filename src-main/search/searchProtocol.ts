import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import type { OutputScan, OutputScanned } from './scanOutput.ts';

/** `workerData` of the search worker. */
export interface SearchStart {
  dataFolder: string;
}

export type ToSearch =
  /** Something was written to the lists of this terminal. */
  | { type: 'poke'; terminalId: string }
  /** Terminals may have come or gone. */
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
