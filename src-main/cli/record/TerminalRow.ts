import type { Quality, TerminalMeta, TerminalView } from '../../contract/terminal.ts';

/**
 * One terminal as `hansard ls` lists it; also the form of its `--json`.
 * `live`: its shell runs. `exited`: in a tab, its shell has ended. `saved`: in a tab, comes back when Hansard starts.
 * `closed`: in no tab; its record is kept. `recording`: `hansard record` writes it now.
 */
export interface TerminalRow {
  id: string;
  state: 'live' | 'exited' | 'saved' | 'closed' | 'recording';
  name: string | null;
  title: string;
  shell: string;
  cwd: string;
  gitBranch: string | null;
  cols: number;
  rows: number;
  createdMs: number;
  /** Time of the last record. */
  usedMs: number;
  exitCode: number | null;
  signal: string | null;
  runningBlockId: string | null;
  atPrompt: boolean;
  /** Only known for a terminal of a running core. */
  integration: Quality | null;
  recordFault: string | null;
}

/** The fields known without meta.json. */
export type ListedRow = Pick<TerminalRow, 'id' | 'state' | 'usedMs'>;

/** States of a terminal without a core. */
type Unshown = 'saved' | 'closed' | 'recording';

export function rowOfView(view: TerminalView, usedMs: number): TerminalRow {
  const {
    id,
    state,
    name,
    title,
    shell,
    cwd,
    gitBranch,
    cols,
    rows,
    createdMs,
    exitCode,
    signal,
    runningBlockId,
    atPrompt,
    quality,
    recordFault,
  } = view;
  const rest = { exitCode, signal, runningBlockId, atPrompt, integration: quality, recordFault };
  return { id, state, name, title, shell, cwd, gitBranch, cols, rows, createdMs, usedMs, ...rest };
}

export function rowOfMeta(meta: TerminalMeta, state: Unshown, usedMs: number): TerminalRow {
  const { id, name = null, title, shell, cwd, cols, rows, createdMs, exitCode = null, signal = null } = meta;
  const rest = { exitCode, signal, runningBlockId: null, atPrompt: false, integration: null, recordFault: null };
  return { id, state, name, title, shell, cwd, gitBranch: null, cols, rows, createdMs, usedMs, ...rest };
}

/** For a folder with a missing or unreadable meta.json: the next start rebuilds it, and until then little is known. */
export function rowOfFolder(id: string, state: Unshown, usedMs: number): TerminalRow {
  return rowOfMeta(
    { version: 1, id, shell: '', argv: [], cwd: '', cols: 80, rows: 24, createdMs: usedMs, title: '' },
    state,
    usedMs,
  );
}

/** Last used first. File times are a few milliseconds coarse, so equal times compare by id, which ascends with time. */
export function byNewest(a: Pick<ListedRow, 'id' | 'usedMs'>, b: Pick<ListedRow, 'id' | 'usedMs'>): number {
  return b.usedMs - a.usedMs || (a.id < b.id ? 1 : -1);
}
