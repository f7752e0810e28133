import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';

/** A listing takes about 20 ms; a machine that needs longer than this gets no answer. */
const TIMEOUT_MS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Instead of the person's PATH, which a program under test may change. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** The process at the other end of a socket, according to the kernel; `unknown` if the kernel does not report it. */
export type Peer =
  | { readonly type: 'process'; readonly pid: number }
  /** Not visible to this user, for example in another container. Its own claims are not valid here. */
  | { readonly type: 'hidden' }
  | { readonly type: 'unknown' };

export const UNKNOWN_PEER: Peer = { type: 'unknown' };

/**
 * Finds the process at the other end of a connected Unix socket. Node has no SO_PEERCRED, so Linux's ss(8) names the socket at the other
 * end and /proc its holder.
 */
export class UnixPeers {
  readonly #running = new Map<string, Promise<string | null>>();
  readonly #next = new Map<string, Promise<string | null>>();

  /** `fd`: of our end. `claimed` is checked first, because an honest client is found there at once. */
  async find(fd: number, claimed: number | null): Promise<Peer> {
    if (process.platform !== 'linux') return UNKNOWN_PEER;
    const own = inodeOf(`/proc/self/fd/${fd}`);
    const listed = own === null ? null : await this.#list('-xnH');
    const other = own === null || listed === null ? null : otherEnd(listed, own);
    if (other === null) return UNKNOWN_PEER;
    if (claimed !== null && holds(claimed, other)) return { type: 'process', pid: claimed };
    const named = await this.#list('-xnpH');
    if (named === null) return UNKNOWN_PEER;
    // the first one: the others got it from that one
    const pid = holdersOf(named, other).find((one) => holds(one, other));
    return pid === undefined ? { type: 'hidden' } : { type: 'process', pid };
  }

  /** Returns a listing that starts now or later. All calls during one listing share the next: many connections do not start many processes. */
  #list(options: string): Promise<string | null> {
    const running = this.#running.get(options);
    if (!running) return this.#start(options);
    const next =
      this.#next.get(options) ??
      running.then(() => {
        this.#next.delete(options);
        return this.#start(options);
      });
    this.#next.set(options, next);
    return next;
  }

  #start(options: string): Promise<string | null> {
    const running = runSs([options]).finally(() => this.#running.delete(options));
    this.#running.set(options, running);
    return running;
  }
}

/** Columns of ss: the socket's path or "*" and its inode, then those of the other end. */
export function otherEnd(listed: string, inode: string): string | null {
  return new RegExp(`\\s${inode}\\s+\\*\\s+(\\d+)\\b`).exec(listed)?.[1] ?? null;
}

/** The processes that may hold that socket, ascending. A process can put numbers into its name, so /proc must confirm them. */
export function holdersOf(named: string, inode: string): number[] {
  const line = new RegExp(`^.*\\s${inode}\\s+\\S+\\s+\\d+\\s+users:.*$`, 'm').exec(named)?.[0] ?? '';
  return [...line.matchAll(/,pid=(\d+),fd=\d+/g)].map(([, pid]) => Number(pid)).sort((a, b) => a - b);
}

function holds(pid: number, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => inodeOf(`/proc/${pid}/fd/${fd}`) === inode);
  } catch {
    return false; // the process has exited, or is another user's
  }
}

function inodeOf(link: string): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1] ?? null;
  } catch {
    return null; // closed meanwhile
  }
}

/** Null if ss cannot run or does not answer in time. */
function runSs(args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { env: { PATH: SYSTEM_PATH, LC_ALL: 'C' }, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES };
    execFile('ss', args, options, (error, text) => resolve(error ? null : text));
  });
}
