import { runPs } from '../util/ps.ts';
import type { ProcessStat, ProcessView } from './ProcessView.ts';

/** Words that ps(1) of macOS, the BSDs and procps share. The arguments come last: they alone may hold blanks. */
const COLUMNS = 'pid=,ppid=,pgid=,tpgid=,stat=,args=';
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)(?:\s+(.*))?$/;

/** A process as ps prints it. Its arguments are one text: an argument with a blank looks like two. */
interface PsRow extends ProcessStat {
  args: string;
}

/**
 * Systems without /proc. `sess` is 0 for every process of macOS, so processes are chosen by their controlling terminal. One run of ps
 * (two where `tty` is not known) answers a whole view.
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

/** Rows that are not in this form are left out, and so are zombies. */
export function parsePs(text: string, shellPid: number): PsRow[] {
  const rows = text.split('\n').flatMap((line): PsRow[] => {
    const [, pid, parent, group, tpgid, state = '', args = ''] = ROW.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    const name = args.split(/\s/, 1)[0] ?? '';
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), tpgid: Number(tpgid) };
    return [{ ...numbers, state: state.charAt(0), name, args: args.trimEnd(), isFork: false }];
  });
  const shellArgs = rows.find(({ pid }) => pid === shellPid)?.args;
  // ps has no word for a copy that has started no program; such a copy still has the shell's own arguments
  return rows.map((row) => ({ ...row, isFork: row.pid !== shellPid && row.args === shellArgs }));
}
