import { McpHttpGuard } from '../../../src-main/hosts/mcp/McpHttpGuard.ts';
import { McpHttp, type McpHttpSpec } from '../../../src-main/mcp/http/McpHttp.ts';
import { ConnectionLimit } from '../../../src-main/mcp/server/ConnectionLimit.ts';
import { makeServer } from '../../../src-main/mcp/server/makeServer.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';
import { TestCore } from '../../support/TestCore.ts';

export const TOKEN = 'a'.repeat(64);

interface BedSpec {
  readonly makeServer?: McpHttpSpec['makeServer'];
  readonly requestTimeoutMs?: number;
}

/** MCP over HTTP on a real core, in this process. */
export class HttpBed {
  readonly seats = new ConnectionLimit(16);
  /** Log entries. */
  readonly told: { event: string; reason: string }[] = [];
  testCore!: TestCore;
  http!: McpHttp;
  door!: McpHttpGuard;
  url = '';

  async start({ makeServer: make = makeServer, requestTimeoutMs }: BedSpec = {}): Promise<this> {
    this.testCore = await TestCore.start();
    const { outside: desk, clients, machines } = this.testCore.core;
    const log = (event: string, fields: object = {}): void => {
      this.told.push({ event, reason: String((fields as { reason?: unknown }).reason) });
    };
    this.http = new McpHttp({
      served: { desk, clients, machines },
      makeServer: make,
      clock: systemClock,
      log,
      owner: () => null,
    });
    this.door = new McpHttpGuard({
      http: this.http,
      token: () => TOKEN,
      seats: this.seats,
      log,
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    });
    this.url = await this.door.listen(0);
    return this;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async dispose(): Promise<void> {
    this.door.dispose();
    await this.testCore.dispose();
  }
}
