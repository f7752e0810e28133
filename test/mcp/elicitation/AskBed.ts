import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '../../../src-main/contract/mcp/approval.ts';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import { McpHttpGuard } from '../../../src-main/hosts/mcp/McpHttpGuard.ts';
import { serveMcp } from '../../../src-main/hosts/serveMcp.ts';
import { McpHttp } from '../../../src-main/mcp/http/McpHttp.ts';
import { ConnectionLimit } from '../../../src-main/mcp/server/ConnectionLimit.ts';
import { makeServer } from '../../../src-main/mcp/server/makeServer.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type Clock, systemClock } from '../../../src-main/util/Clock.ts';
import type { IDisposable } from '../../../src-main/util/Disposables.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { TestCore } from '../../support/TestCore.ts';
import { setPolicy } from '../exec/clients.ts';

export const TOKEN = 'b'.repeat(64);
/** A policy under which every client may request commands, and no rule allows one. */
export const ASKING = {
  remote_approval: true,
  clients: { '*': { scopes: ['exec'] } },
  limits: { exec_per_min: 600 },
};

/** A real core in this process with socket and HTTP for clients. Tests call the core in place of the person's window. */
export class AskBed {
  readonly home = mkdtempSync(join(tmpdir(), 'hansard-asking-'));
  testCore!: TestCore;
  terminal!: PtyInstance;
  url = '';
  #socket!: IDisposable;
  #http!: McpHttpGuard;

  async start(policy: Record<string, unknown> = ASKING, clock: Clock = systemClock): Promise<this> {
    this.testCore = await TestCore.start({ dataFolder: this.home, clock });
    setPolicy(this.testCore, policy);
    const { core } = this.testCore;
    const log = silentLog;
    this.#socket = await serveMcp({ core, dataFolder: this.home, env: {}, startedMs: Date.now(), log });
    const served = { desk: core.outside, clients: core.clients, machines: core.machines };
    const http = new McpHttp({ served, makeServer, clock: systemClock, log, owner: () => null });
    this.#http = new McpHttpGuard({ http, token: () => TOKEN, seats: new ConnectionLimit(16), log });
    this.url = await this.#http.listen(0);
    this.terminal = await this.testCore.open();
    return this;
  }

  get approvals() {
    return this.testCore.core.clients.approvals;
  }

  /** The only open approval; throws if there is not exactly one. */
  get open(): Approval {
    const [only, ...more] = this.approvals.open;
    if (!only || more.length > 0) throw new Error(`${this.approvals.open.length} approvals are open`);
    return only;
  }

  /** Resolves when `count` approvals are open. */
  async untilOpen(count: number): Promise<void> {
    const stop = new AbortController();
    for await (const _ of this.approvals.follow(stop.signal)) {
      if (this.approvals.open.length === count) stop.abort();
    }
  }

  /** Audit entries of the command `what`, newest first. */
  async audited(what: string): Promise<AuditLine[]> {
    const { lines } = await this.testCore.core.clients.audit.log.page({ limit: 100, filter: {} });
    return lines.filter((line) => line.what === what);
  }

  ran(what: string): boolean {
    return readFileSync(join(this.home, 'terminals', this.terminal.id, 'blocks.jsonl'), 'utf8').includes(what);
  }

  async stop(): Promise<void> {
    this.#socket.dispose();
    this.#http.dispose();
    await this.testCore.stop();
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}
