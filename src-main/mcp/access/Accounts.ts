import type { PolicyLimits } from '../../contract/mcp/policy.ts';
import { RateLimit } from '../../policy/RateLimit.ts';
import { ancestorsOf } from '../../pty/ancestors.ts';
import { type IDisposable, toDisposable } from '../../util/Disposables.ts';

/** Longer than the audit log keeps counting calls of one kind (`AuditAggregator`). */
const KEPT_MS = 2 * 3_600_000;
const NOBODY = 'unknown';

interface Account {
  readonly id: string;
  /** The parent process; the same value for all unknown processes. */
  readonly lineage: string;
  readonly rates: RateLimit;
  process: string | null;
  connections: number;
  leftMs: number;
}

/** A connection's account until it is disposed. */
export interface OpenAccount extends IDisposable {
  readonly id: string;
}

/**
 * The account that a call is charged to. Clients choose their own names, so an account belongs to the process at the other end with all of its
 * connections, or to the connection if the process is unknown. A process takes over the account of an earlier one that has left and had the same
 * parent: reconnecting under another name gives no fresh budget. A process that is still connected is never charged for another one.
 */
export class Accounts {
  readonly #limits: () => PolicyLimits;
  readonly #monotonicMs: () => number;
  readonly #all = new Map<string, Account>();
  #made = 0;

  constructor(limits: () => PolicyLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  get count(): number {
    return this.#all.size;
  }

  /** `pid`: the process at the other end according to the kernel; null if unknown. */
  open(pid: number | null): OpenAccount {
    this.#forgetOld();
    const { process, lineage } = identify(pid);
    const account = this.#ofProcess(process) ?? this.#leftBehind(lineage) ?? this.#add({ lineage });
    account.process = process;
    return this.#connected(account);
  }

  /** An account named by another machine's core: it survives a lost connection, and no other process takes it over. */
  openNamed(name: string): OpenAccount {
    this.#forgetOld();
    const id = `machine-${name}`;
    const account = this.#all.get(id) ?? this.#add({ id, lineage: id });
    return this.#connected(account);
  }

  rates(id: string): RateLimit {
    return (this.#all.get(id) ?? this.#add({ id, lineage: NOBODY })).rates;
  }

  #connected(account: Account): OpenAccount {
    account.connections += 1;
    const left = toDisposable(() => {
      account.connections -= 1;
      account.leftMs = this.#monotonicMs();
    });
    return { id: account.id, dispose: () => left.dispose() };
  }

  #ofProcess(process: string | null): Account | undefined {
    return process === null ? undefined : [...this.#all.values()].find((one) => one.process === process);
  }

  /** The most used account whose process will not come back. */
  #leftBehind(lineage: string): Account | undefined {
    const nowMs = this.#monotonicMs();
    const left = [...this.#all.values()].filter(
      (one) => one.lineage === lineage && one.connections === 0 && !isRunning(one.process),
    );
    const share = ({ rates }: Account): number => rates.left(this.#limits(), nowMs);
    return left.sort((a, b) => share(a) - share(b))[0];
  }

  #add({ id = `client-${++this.#made}`, lineage }: { id?: string; lineage: string }): Account {
    const account = { id, lineage, rates: new RateLimit(), process: null, connections: 0, leftMs: this.#monotonicMs() };
    this.#all.set(id, account);
    return account;
  }

  #forgetOld(): void {
    const nowMs = this.#monotonicMs();
    for (const { id, connections, leftMs } of this.#all.values())
      if (connections === 0 && nowMs - leftMs > KEPT_MS) this.#all.delete(id);
  }
}

/** Process id and start time, because ids are reused. */
function identify(pid: number | null): { process: string | null; lineage: string } {
  const [own, parent] = pid === null ? [] : ancestorsOf(pid).chain;
  if (!own) return { process: null, lineage: NOBODY };
  return { process: `${own.pid}@${own.start}`, lineage: parent ? `${parent.pid}@${parent.start}` : NOBODY };
}

function isRunning(process: string | null): boolean {
  return process !== null && identify(Number.parseInt(process, 10)).process === process;
}
