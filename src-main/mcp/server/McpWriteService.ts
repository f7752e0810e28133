import { join } from 'node:path';
import type { AgentPresence } from '../../contract/mcp/approval.ts';
import type { AuditChange, AuditPage } from '../../contract/mcp/audit.ts';
import type { Policy } from '../../contract/mcp/policy.ts';
import type { Notices } from '../../notices/Notices.ts';
import { UNKNOWN_PEER, UnixPeers } from '../../pty/unixPeer.ts';
import { type AuditEntry, AuditLog } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { Emitter, type Event } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { KeyedQueue } from '../../util/KeyedQueue.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { ApprovalQueue } from '../access/ApprovalQueue.ts';
import { type CallerPlace, findCaller } from '../access/CallerFinder.ts';
import { type ExecPolicy, execPolicy } from '../access/ExecPolicy.ts';
import { type AgentsDeps, AgentsService } from '../agents/AgentsService.ts';
import { AuditAggregator, type CallEnd, type CountedCall } from '../audit/AuditAggregator.ts';
import { AuditCountStore } from '../audit/AuditCountStore.ts';
import { ExecService } from '../exec/ExecService.ts';
import { TaintedShells } from '../exec/TaintedShells.ts';
import { type InputServices, inputServices, type OwnTerminalsDeps } from '../input/inputServices.ts';
import { untrustedText } from '../protocol/untrustedText.ts';

export interface ClientDesksSpec extends Pick<AgentsDeps, 'agents'>, Omit<OwnTerminalsDeps, 'audit' | 'ownerOf'> {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomId: (bytes: number) => string;
  readonly notices: Notices;
  /** The person's current policy. */
  policy(): Policy;
  terminal(id: string): PtyInstance | undefined;
  terminals(): readonly PtyInstance[];
}

export interface FoundClient {
  readonly vouched: number | null;
  readonly pid: number | null;
  readonly place: CallerPlace;
}

/** Each look of the person could add one entry per kind. */
const TELL_EVERY_MS = 60_000;
const FAULT_NOTICE = 'audit';
/** Ends of a call that may occur whether or not the terminal exists. */
const BEFORE_LOOKED_UP: ReadonlySet<CallEnd> = new Set([
  'PTY_NOT_FOUND',
  'NOT_ALLOWED_SCOPE',
  'RATE_LIMITED',
  'BAD_INPUT',
]);
/** How many kinds of calls of one account are counted separately (`AuditAggregator`): some tools in some terminals. */
const MAX_DOOR_KINDS = 30;
const MAX_READ_KINDS = 200;

/** Everything that outside clients do in terminals, in one place: no other code writes for them. */
export class McpWriteService {
  readonly approvals: ApprovalQueue;
  readonly leases: InputServices['leases'];
  readonly exec: ExecService;
  readonly send: InputServices['send'];
  readonly size: InputServices['size'];
  readonly own: InputServices['own'];
  readonly agents: AgentsService;
  /** One writer at a time for each terminal. */
  readonly turns = new KeyedQueue();
  /** 256 secret bits of this core that sign the state which clients return. */
  readonly stateKey: string;
  readonly #spec: ClientDesksSpec;
  readonly #presence = new Emitter<AgentPresence>();
  readonly #present = new Set<string>();
  readonly #shells: TaintedShells;
  readonly #peers = new UnixPeers();
  readonly #door: AuditAggregator;
  readonly #reads: AuditAggregator;
  #audit: AuditLog | null = null;
  #kept: AuditCountStore | null = null;
  /** When pending counts were last written early. */
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(spec: ClientDesksSpec) {
    this.#spec = spec;
    const { clock, log, randomId } = spec;
    this.stateKey = randomId(32);
    this.approvals = new ApprovalQueue({ clock, randomId });
    this.#shells = new TaintedShells(this.approvals.grants);
    const deps = {
      clock,
      log,
      randomId,
      approvals: this.approvals,
      turns: this.turns,
      shells: this.#shells,
      policy: (): ExecPolicy => execPolicy(spec.policy()),
      terminal: (id: string) => spec.terminal(id),
      audit: (entry: AuditEntry) => this.#record(entry),
    };
    const { openTerminal, closeTerminal } = spec;
    const own = { openTerminal, closeTerminal, dataFolder: spec.dataFolder, terminals: () => spec.terminals() };
    ({ leases: this.leases, send: this.send, size: this.size, own: this.own } = inputServices({ ...deps, ...own }));
    this.agents = new AgentsService({ ...deps, leases: this.leases, agents: spec.agents });
    this.exec = new ExecService({ ...deps, press: (...press) => this.send.press(...press) });
    this.#door = new AuditAggregator({ ...deps, maxKinds: MAX_DOOR_KINDS, areReads: false });
    this.#reads = new AuditAggregator({ ...deps, maxKinds: MAX_READ_KINDS, areReads: true });
    this.leases.onPresence((id) => this.#tell(id));
    this.exec.onPresence((id) => this.#tell(id));
  }

  /** Call before the first client is admitted: the audit log is complete from here on. */
  async open(): Promise<void> {
    const { dataFolder, clock, log } = this.#spec;
    const path = join(dataFolder, 'audit.jsonl');
    const opened = await AuditLog.open(path, {
      clock,
      log,
      clean: (text) => untrustedText(text).text,
      onFault: (reason) => this.#tellFault(reason),
    });
    this.#audit = opened.log;
    const waiting = () => [...this.#door.waiting(), ...this.#reads.waiting()];
    this.#kept = await AuditCountStore.open(opened.log, { clock, log, waiting });
    if (opened.torn > 0) log('audit_torn', { bytes: opened.torn });
    if (opened.missing > 0) log('audit_missing', { entries: opened.missing });
  }

  get audit(): AuditLog {
    if (!this.#audit) throw new Error('the audit is not open');
    return this.#audit;
  }

  /** The newest entries for the person, including the counts up to now. */
  auditPage(query: Parameters<AuditLog['page']>[0]): Promise<AuditPage> {
    const nowMs = this.#spec.clock.monotonicMs();
    if (query.before === undefined && nowMs - this.#toldMs >= TELL_EVERY_MS) {
      this.#toldMs = nowMs;
      this.#door.tellNow();
      this.#reads.tellNow();
    }
    return this.audit.page(query);
  }

  /** The entries written from now on. */
  followAudit(signal?: AbortSignal): AsyncGenerator<AuditChange> {
    const { audit } = this;
    const written: Event<AuditChange> = (listen) => audit.onWritten((line) => listen({ type: 'line', line }));
    return follow(written, () => [{ type: 'from', n: audit.lastN }], signal);
  }

  /** Records a call that would have changed something but was refused or invalid. */
  refusedAtDoor(call: CountedCall): void {
    this.#door.take(this.#ofTerminal(call));
    this.#kept?.changed();
  }

  /** Records a call that goes to another machine, or that came back without effect. */
  passedOn(entry: AuditEntry): void {
    this.#record(entry);
  }

  /** Records a finished read, however it ended. */
  hasRead(call: CountedCall): void {
    this.#reads.take(this.#ofTerminal(call));
    this.#kept?.changed();
  }

  /**
   * Finds the client at the other end of the Unix socket with that descriptor. `vouched` is its process according to the kernel. The client's own
   * claim counts only if the kernel reports nothing.
   */
  async findClient(fd: number | null, claimed: number | null): Promise<FoundClient> {
    const peer = fd === null ? UNKNOWN_PEER : await this.#peers.find(fd, claimed);
    const vouched = peer.type === 'process' ? peer.pid : null;
    const pid = peer.type === 'unknown' ? claimed : vouched;
    return { vouched, pid, place: this.findCaller(pid) };
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

  /** The presence in all terminals in which a client is active, then each change. */
  followPresence(signal?: AbortSignal): AsyncGenerator<AgentPresence> {
    return follow(this.#presence.on, () => [...this.#present].map((id) => this.presenceOf(id)), signal);
  }

  /** Call when the terminal is closed: grants there end. */
  forget(terminalId: string): void {
    this.leases.takeBack(terminalId);
    this.exec.forget(terminalId);
    this.send.forget(terminalId);
    this.agents.forget(terminalId);
    this.own.forget(terminalId);
    this.size.forget(terminalId);
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
    this.#reads.dispose();
    await this.#kept?.close();
    await this.#audit?.close();
  }

  /** Clients may invent ids. An id of no terminal goes into the description, not into the entry's terminal. */
  #ofTerminal(call: CountedCall): CountedCall {
    const { terminalId, end, what } = call;
    if (terminalId === null || !BEFORE_LOOKED_UP.has(end) || this.#spec.terminal(terminalId)) return call;
    return { ...call, terminalId: null, what: `${terminalId}: ${what}` };
  }

  #record(entry: AuditEntry): void {
    detach('McpWriteService', this.audit.write(entry));
  }

  #tellFault(reason: string | null): void {
    const { notices, clock } = this.#spec;
    if (reason === null) return notices.clear(FAULT_NOTICE, clock.nowMs());
    notices.raise({
      key: FAULT_NOTICE,
      level: 'error',
      text: `What outside agents do is not being written to the audit: ${reason}.`,
      action:
        'Make room on the disk or repair the folder: Hansard then writes the waiting entries. Until then, watch what they do.',
      terminalId: null,
      atMs: clock.nowMs(),
    });
  }

  #tell(terminalId: string): void {
    const presence = this.presenceOf(terminalId);
    const isThere = presence.lease !== null || presence.queue.length > 0 || presence.running !== null;
    if (isThere) this.#present.add(terminalId);
    else this.#present.delete(terminalId);
    this.#presence.fire(presence);
  }
}
