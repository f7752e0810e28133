import { runPs } from '../util/ps.ts';
import type { ProcessStat, ProcessView } from './ProcessView.ts';

/** Columns that ps(1) of macOS, the BSDs and procps share. Arguments come last, because only they may contain blanks. */
const COLUMNS = 'pid=,ppid=,pgid=,tpgid=,stat=,args=';
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)(?:\s+(.*))?$/;

/** A process as ps prints it. Its arguments are one text, in which an argument with a blank looks like two. */
interface PsRow extends ProcessStat {
  args: string;
}

/**
 * View for systems without /proc. On macOS `sess` is 0 for every process, so processes are selected by their controlling
 * terminal. One run of ps (two if `tty` is unknown) serves a whole view.
 *
 * `tty` is the terminal's device, such as /dev/ttys003.
 */
export function psView(shellPid: number, tty: string | undefined, run: typeof runPs = runPs): ProcessView {
  let rows: Map<number, PsRow> | null | undefined;
  const read = (): Map<number, PsRow> | null => {
    if (rows !== undefined) return rows;
    const name = tty?.replace(/^\/dev\//, '') ?? run(['-o', 'tty=', '-p', String(shellPid)])?.trim();
    const text = name && /^[\w/]+$/.test(name) ? run(['-t', name, '-o', COLUMNS]) : null;
    rows = text === null ? null : new Map(parsePs(text, shellPid).map((row) => [row.pid, row]));
    return rows;
  };
  return {
    stat: (pid) => read()?.get(pid) ?? null,
    all: () => {
      const found = read();
      return found && [...found.values()];
    },
    terminalUse: () => 'given',
    argv: (pid) => read()?.get(pid)?.args.split(/\s+/).filter(Boolean) ?? [],
  };
}

/** Skips rows in another form, and zombies. */
export function parsePs(text: string, shellPid: number): PsRow[] {
  const rows = text.split('\n').flatMap((line): PsRow[] => {
    const [, pid, parent, group, tpgid, state = '', args = ''] = ROW.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    const name = args.split(/\s/, 1)[0] ?? '';
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), tpgid: Number(tpgid) };
    return [{ ...numbers, state: state.charAt(0), name, args: args.trimEnd(), isFork: false }];
  });
  const shellArgs = rows.find(({ pid }) => pid === shellPid)?.args;
  // ps does not mark a copy without its own program; a copy still has the shell's own arguments
  return rows.map((row) => ({ ...row, isFork: row.pid !== shellPid && row.args === shellArgs }));
}
