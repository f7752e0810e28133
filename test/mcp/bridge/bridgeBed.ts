import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ended } from '../../cli/runCli.ts';
import { ROOT } from '../../support/sourceFiles.ts';

/** Command and environment of a bridge as a client starts it, with almost no variables. */
export function bridgeCommand(
  home: string,
  ...more: string[]
): { command: string; args: string[]; env: Record<string, string> } {
  return {
    command: process.execPath,
    args: [join(ROOT, 'test/mcp/bridge/bridgeProcess.ts'), 'mcp', '--home', home, ...more],
    env: {},
  };
}

/** A running `smallApp.ts` in its own process. */
export class SmallApp {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(home: string, { version = '1', token = 'right' } = {}): Promise<SmallApp> {
    const child = spawn(process.execPath, [join(ROOT, 'test/mcp/bridge/smallApp.ts'), home, version, token], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout) await once(child.stdout, 'data');
    return new SmallApp(child);
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = ended(this.#child);
    this.#child.kill(signal);
    await gone;
  }
}

/** A bridge that a test drives with raw lines, without an SDK client. */
export class RawBridge {
  readonly child: ChildProcess;
  readonly #messages: Record<string, unknown>[] = [];
  #pieces: Buffer[] = [];
  #errors = '';
  #look: () => void = () => undefined;

  constructor(home: string, ...more: string[]) {
    const { command, args } = bridgeCommand(home, ...more);
    this.child = spawn(command, args, { env: {}, stdio: 'pipe' });
    this.child.stdout?.on('data', (data: Buffer) => {
      this.#read(data);
      this.#look();
    });
    this.child.stderr?.on('data', (data: Buffer) => {
      this.#errors += data.toString();
      this.#look();
    });
    this.child.stdin?.on('error', () => undefined); // writes to a bridge that has ended fail
  }

  get stderr(): string {
    return this.#errors;
  }

  send(message: object | string | Buffer): void {
    const isText = typeof message === 'string' || Buffer.isBuffer(message);
    this.child.stdin?.write(isText ? message : `${JSON.stringify(message)}\n`);
  }

  /** All messages so far, without an incomplete last line. */
  messages(): readonly Record<string, unknown>[] {
    return this.#messages;
  }

  /** Resolves with the first message for which `isIt` is true; rejects when the bridge ends before. */
  async message(isIt: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    return this.until(() => this.messages().find(isIt));
  }

  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error(`the bridge has ended: ${this.#errors}`));
      this.#look = () => {
        const found = look();
        if (found === undefined) return;
        this.child.off('exit', gone);
        resolve(found);
      };
      this.child.once('exit', gone);
      this.#look();
    });
  }

  #read(data: Buffer): void {
    let from = 0;
    for (let at = data.indexOf(0x0a); at >= 0; at = data.indexOf(0x0a, from)) {
      const line = Buffer.concat([...this.#pieces, data.subarray(from, at)]);
      this.#messages.push(JSON.parse(line.toString()) as Record<string, unknown>);
      this.#pieces = [];
      from = at + 1;
    }
    this.#pieces.push(data.subarray(from));
  }

  answer(id: unknown): Promise<Record<string, unknown>> {
    return this.message((message) => message.id === id && !('method' in message));
  }

  async end(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const gone = ended(this.child);
    this.child.stdin?.end();
    return (await gone)[0];
  }
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'raw', version: '0' },
  },
} as const;
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

export function call(id: string | number, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}
