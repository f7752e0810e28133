import { join } from 'node:path';
import type { AgentPresence } from '../../contract/approval.ts';
import type { AuditChange } from '../../contract/audit.ts';
import type { Policy } from '../../contract/policy.ts';
import { type AuditEntry, AuditLog } from '../../store/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import { Emitter, type Event } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import type { Log } from '../../util/Log.ts';
import { outsideText } from '../outside/outsideText.ts';
import type { PtyInstance } from '../PtyInstance.ts';
import { ApprovalBook } from './ApprovalBook.ts';
import { type CallerPlace, findCaller } from './CallerFinder.ts';
import { ChangedShells } from './ChangedShells.ts';
import { type DoorRefusal, DoorRefusals } from './DoorRefusals.ts';
import { ExecDesk } from './ExecDesk.ts';
import { type ExecPolicy, execPolicy } from './ExecPolicy.ts';
import { LeaseDesk } from './LeaseDesk.ts';
import { SendDesk } from './SendDesk.ts';
import { Turns } from './Turns.ts';

export interface ClientDesksSpec {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomId: (bytes: number) => string;
  /** The person's, as it is now. */
  policy(): Policy;
  terminal(id: string): PtyInstance | undefined;
  terminals(): readonly PtyInstance[];
}

/** Everything that outside clients do in terminals, in one place: nothing else writes for them. */
export class ClientDesks {
  readonly approvals: ApprovalBook;
  readonly leases: LeaseDesk;
  readonly exec: ExecDesk;
  readonly send: SendDesk;
  /** 256 secret bits of this core that vouch for what clients are given to bring back. */
  readonly stateKey: string;
  readonly #spec: ClientDesksSpec;
  readonly #presence = new Emitter<AgentPresence>();
  readonly #present = new Set<string>();
  readonly #shells: ChangedShells;
  readonly #door: DoorRefusals;
  #audit: AuditLog | null = null;

  constructor(spec: ClientDesksSpec) {
    this.#spec = spec;
    const { clock, log, randomId } = spec;
    this.stateKey = randomId(32);
    this.approvals = new ApprovalBook({ clock, randomId });
    this.#shells = new ChangedShells(this.approvals.grants);
    const deps = {
      clock,
      log,
      randomId,
      approvals: this.approvals,
      turns: new Turns(),
      shells: this.#shells,
      policy: (): ExecPolicy => execPolicy(spec.policy()),
      terminal: (id: string) => spec.terminal(id),
      audit: (entry: AuditEntry) => this.#record(entry),
    };
    this.leases = new LeaseDesk(deps);
    this.send = new SendDesk({ ...deps, leases: this.leases });
    this.exec = new ExecDesk({ ...deps, press: (...press) => this.send.press(...press) });
    this.#door = new DoorRefusals(deps);
    this.leases.onPresence((id) => this.#tell(id));
    this.exec.onPresence((id) => this.#tell(id));
  }

  /** Before a client is let in: from here on everything is in the audit. */
  async open(): Promise<void> {
    const { dataFolder, clock, log } = this.#spec;
    const path = join(dataFolder, 'audit.jsonl');
    const opened = await AuditLog.open(path, { clock, log, clean: (text) => outsideText(text).text });
    this.#audit = opened.log;
    if (opened.torn > 0) log('audit_torn', { bytes: opened.torn });
    if (opened.missing > 0) log('audit_missing', { entries: opened.missing });
  }

  get audit(): AuditLog {
    if (!this.#audit) throw new Error('the audit is not open');
    return this.#audit;
  }

  /** What is written to the audit from now on. */
  followAudit(signal?: AbortSignal): AsyncGenerator<AuditChange> {
    const { audit } = this;
    const written: Event<AuditChange> = (listen) => audit.onWritten((line) => listen({ type: 'line', line }));
    return follow(written, () => [{ type: 'from', n: audit.lastN }], signal);
  }

  /** A call that would have written was not let in. */
  refusedAtDoor(refusal: DoorRefusal): void {
    this.#door.take(refusal);
  }

  /** Where the client's process runs. */
  findCaller(pid: number | null): CallerPlace {
    const shells = this.#spec
      .terminals()
      .flatMap(({ id: terminalId, input: { shellPid } }) => (shellPid === null ? [] : [{ terminalId, pid: shellPid }]));
    return findCaller(pid, shells);
  }

  presenceOf(terminalId: string): AgentPresence {
    const queue = this.exec.waiting(terminalId).map(({ blockId, client, cmd, status }) => ({
      blockId,
      client,
      cmd,
      state: status as AgentPresence['queue'][number]['state'],
    }));
    const running = this.exec.running(terminalId)?.client ?? null;
    return { terminalId, lease: this.leases.status(terminalId), queue, running };
  }

  /** Of all terminals in which a client does something, then each change. */
  followPresence(signal?: AbortSignal): AsyncGenerator<AgentPresence> {
    return follow(this.#presence.on, () => [...this.#present].map((id) => this.presenceOf(id)), signal);
  }

  /** The terminal is closed: what was allowed there ends with it. */
  forget(terminalId: string): void {
    this.leases.takeBack(terminalId);
    this.exec.forget(terminalId);
    this.send.forget(terminalId);
    this.approvals.forget(terminalId);
    this.#shells.forget(terminalId);
    this.#present.delete(terminalId);
  }

  async close(): Promise<void> {
    this.exec.dispose();
    this.leases.dispose();
    this.approvals.dispose();
    this.#presence.dispose();
    this.#door.dispose();
    await this.#audit?.close();
  }

  #record(entry: AuditEntry): void {
    void this.audit.write(entry);
  }

  #tell(terminalId: string): void {
    const presence = this.presenceOf(terminalId);
    const isThere = presence.lease !== null || presence.queue.length > 0 || presence.running !== null;
    if (isThere) this.#present.add(terminalId);
    else this.#present.delete(terminalId);
    this.#presence.fire(presence);
  }
}
