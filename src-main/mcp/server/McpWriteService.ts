import type { AgentPresence } from '../../contract/mcp/approval.ts';
import type { Policy } from '../../contract/mcp/policy.ts';
import { UNKNOWN_PEER, UnixPeers } from '../../pty/unixPeer.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { KeyedQueue } from '../../util/KeyedQueue.ts';
import { ApprovalQueue } from '../access/ApprovalQueue.ts';
import { type CallerPlace, findCaller } from '../access/CallerFinder.ts';
import { type ExecPolicy, execPolicy } from '../access/ExecPolicy.ts';
import { type AgentsDeps, AgentsService } from '../agents/AgentsService.ts';
import { ClientAudit, type ClientAuditDeps } from '../audit/ClientAudit.ts';
import { ExecService } from '../exec/ExecService.ts';
import { TaintedShells } from '../exec/TaintedShells.ts';
import { type InputServices, inputServices, type OwnTerminalsDeps } from '../input/inputServices.ts';

export interface ClientDesksSpec
  extends Pick<AgentsDeps, 'agents'>,
    Omit<OwnTerminalsDeps, 'audit' | 'ownerOf'>,
    Omit<ClientAuditDeps, 'isTerminal'> {
  readonly randomId: (bytes: number) => string;
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

/** Everything that outside clients do in terminals, in one place: no other code writes for them. */
export class McpWriteService {
  readonly approvals: ApprovalQueue;
  readonly audit: ClientAudit;
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

  constructor(spec: ClientDesksSpec) {
    this.#spec = spec;
    const { clock, log, randomId } = spec;
    this.stateKey = randomId(32);
    this.approvals = new ApprovalQueue({ clock, randomId });
    this.audit = new ClientAudit({ ...spec, isTerminal: (id) => spec.terminal(id) !== undefined });
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
      audit: (entry: AuditEntry) => this.audit.record(entry),
    };
    const { openTerminal, closeTerminal } = spec;
    const own = { openTerminal, closeTerminal, dataFolder: spec.dataFolder, terminals: () => spec.terminals() };
    ({ leases: this.leases, send: this.send, size: this.size, own: this.own } = inputServices({ ...deps, ...own }));
    const auditPage: AgentsDeps['auditPage'] = (query) => this.audit.log.page(query);
    this.agents = new AgentsService({ ...deps, auditPage, leases: this.leases, agents: spec.agents });
    this.exec = new ExecService({ ...deps, press: (...press) => this.send.press(...press) });
    this.leases.onPresence((id) => this.#tell(id));
    this.exec.onPresence((id) => this.#tell(id));
  }

  /** Call before the first client is admitted. */
  open(): Promise<void> {
    return this.audit.open();
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
    this.#present.delete(terminalId);
  }

  async close(): Promise<void> {
    this.exec.dispose();
    this.leases.dispose();
    this.approvals.dispose();
    this.#presence.dispose();
    await this.audit.close();
  }

  #tell(terminalId: string): void {
    const presence = this.presenceOf(terminalId);
    const isThere = presence.lease !== null || presence.queue.length > 0 || presence.running !== null;
    if (isThere) this.#present.add(terminalId);
    else this.#present.delete(terminalId);
    this.#presence.fire(presence);
  }
}
