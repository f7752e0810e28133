import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/sourceFiles.ts';
import { CLI } from '../../support/WebApp.ts';

const INSPECTOR = join(ROOT, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

export type Era = 'legacy' | 'modern';

export interface Inspected {
  readonly code: number;
  readonly stderr: string;
  /** The protocol's result, or null if the Inspector printed none. */
  readonly result: Record<string, unknown> | null;
}

/** Command that starts a bridge, as in a client's configuration. */
export function bridgeOf(home: string): { command: string; args: string[] } {
  return { command: process.execPath, args: [CLI, 'mcp', '--home', home] };
}

/** Runs the MCP Inspector's command line against the command `server`. The Inspector keeps its state in `folder`. */
export function inspect(
  server: { command: string; args: string[] },
  folder: string,
  { era, args }: { era: Era; args: readonly string[] },
): Promise<Inspected> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { hansard: server } }));
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const all = [
    INSPECTOR,
    '--cli',
    '--config',
    config,
    '--server',
    'hansard',
    '--protocol-era',
    era,
    '--format',
    'json',
    ...args,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stderr, result: resultIn(stdout) }),
    );
  });
}

function resultIn(stdout: string): Inspected['result'] {
  const [line] = stdout.split('\n').filter((one) => one.startsWith('{'));
  return line === undefined ? null : (JSON.parse(line) as { result: Record<string, unknown> }).result;
}

/** Result of `--load` for a tool. Times are in milliseconds. */
export interface Load {
  readonly requests: number;
  readonly ok: number;
  readonly throughput: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
}
