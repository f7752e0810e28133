import { join } from 'node:path';
import type { RecordGap } from '../../contract/notice.ts';

/**
 * Version of the messages below. A core serves hosts of this version and of the two before, because a host outlives the core that started
 * it: messages may be added, and a field that a host may lack must be optional.
 */
export const PROTOCOL_VERSION = 1;

/** Versions that this program speaks, the newest first. */
export const SERVED_VERSIONS: readonly number[] = [PROTOCOL_VERSION, PROTOCOL_VERSION - 1, PROTOCOL_VERSION - 2].filter(
  (version) => version > 0,
);

/** The newest version that both sides speak; null if there is none. */
export function commonVersion(theirs: readonly number[]): number | null {
  return SERVED_VERSIONS.find((version) => theirs.includes(version)) ?? null;
}

/** Name of the host's socket in the data folder's `run`. */
export const HOST_SOCKET = 'pty-host.sock';

/** The file that makes a process the core, see `renewKey`: mode 0600, in a folder of mode 0700. */
export function keyPath(dataFolder: string): string {
  return join(dataFolder, 'run', 'pty-host.key');
}

export interface OpenTerminal {
  readonly type: 'open';
  readonly id: string;
  readonly file: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly folder: string;
  readonly offset: number;
  readonly nonce: string;
  readonly note: string;
  /** Of the core, as a shell that it started itself would have it. */
  readonly umask?: number;
}

/** Queries of the output that have been dealt with: all that end before the offset `at`, and the first `count` after it. */
export interface AnsweredQueries {
  readonly at: number;
  readonly count: number;
}

export interface HelloToHost {
  readonly type: 'hello';
  readonly versions: readonly number[];
  readonly key: string;
  /** It sends `query` and `settled`. Earlier builds of the core answer queries without. */
  readonly countsAnswers?: true;
}

/** Messages from a core to the host. Bytes after `write` are typed. */
export type ToHost =
  | HelloToHost
  | OpenTerminal
  /** `query`: the bytes answer the next query at or after this offset; empty bytes if it gets no answer. */
  | { readonly type: 'write'; readonly id: string; readonly query?: number }
  /** All queries before the offset `to` have been dealt with. */
  | { readonly type: 'settled'; readonly id: string; readonly to: number }
  | { readonly type: 'typed'; readonly id: string; readonly writer: string; readonly next: number }
  | { readonly type: 'resize'; readonly id: string; readonly cols: number; readonly rows: number }
  | { readonly type: 'pause' | 'resume'; readonly id: string }
  | { readonly type: 'kill'; readonly id: string; readonly signal: string }
  /** See `RecordedOutput.keepFrom`. */
  | { readonly type: 'keep'; readonly id: string; readonly from: number }
  /** The core has processed the end of that shell. */
  | { readonly type: 'forget'; readonly id: string }
  /** For the next core, only in memory. */
  | { readonly type: 'remember'; readonly note: string }
  /** This core expects no other after it. Earlier builds of the host ignore it. */
  | { readonly type: 'last' };

export interface ShellExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A shell that a core may take over. Offsets are those of output.raw. */
export interface HeldTerminal {
  readonly id: string;
  readonly pid: number;
  readonly cols: number;
  readonly rows: number;
  readonly nonce: string;
  readonly note: string;
  /** Start of this shell's output. */
  readonly start: number;
  /** Offset at which a core must continue, see `keep`. */
  readonly keep: number;
  readonly end: number;
  /** Offset from which the disk has refused the output: a `grew` up to `end` with these bytes follows the welcome. */
  readonly refusedFrom?: number;
  /** Offsets from `keep` on with a nonce. */
  readonly nonceAt: readonly number[];
  /** End of the output when the last core went, null if none was lost. */
  readonly lostAt: number | null;
  /** Offsets from `keep` on at which a core went, the next one came, that one went, and so on. Earlier builds of the host have only `lostAt`. */
  readonly attendance?: readonly number[];
  /** Earlier builds of the host lack it. */
  readonly answered?: AnsweredQueries;
  /** End of the output when bytes were last typed that answer no query; -1 if that never happened. Earlier builds of the host lack it. */
  readonly keyedAt?: number;
  /** These bytes ended no line. Earlier builds of the host lack it. */
  readonly isLineBegun?: boolean;
  /** The next number of each writer that has typed. */
  readonly typed: Readonly<Record<string, number>>;
  readonly gaps: readonly RecordGap[];
  readonly faults: Readonly<Record<string, string>>;
  readonly exit: ShellExit | null;
}

/** Messages from the host to a core. */
export type ToCore =
  | {
      readonly type: 'welcome';
      readonly version: number;
      readonly pid: number;
      readonly terminals: readonly HeldTerminal[];
      readonly note: string | null;
    }
  /** No version in common. */
  | { readonly type: 'unserved'; readonly versions: readonly number[] }
  /** The connection is closed after it. */
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'opened'; readonly id: string; readonly pid: number }
  | { readonly type: 'refused'; readonly id: string; readonly reason: string }
  /** output.raw now ends at `end`. Bytes that the disk refused follow. */
  | {
      readonly type: 'grew';
      readonly id: string;
      readonly end: number;
      readonly nonceAt: readonly number[];
      readonly atMs: number;
    }
  | { readonly type: 'fault'; readonly id: string; readonly file: string; readonly reason: string | null }
  | { readonly type: 'gap'; readonly id: string; readonly gap: RecordGap }
  | ({ readonly type: 'exited'; readonly id: string; readonly end: number } & ShellExit);

/** Whether a header may be a message. Checks nothing else, because the other side is this program or an adjacent version. */
export function isMessage(header: unknown): header is { readonly type: string } {
  return typeof header === 'object' && header !== null && 'type' in header && typeof header.type === 'string';
}
