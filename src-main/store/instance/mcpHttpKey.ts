import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { NOFOLLOW } from '../files/Disk.ts';
import { replaceFile } from '../files/replaceFile.ts';

/** mcp-http.json in the data folder, readable by its owner alone: what an MCP client that comes by HTTP is configured with. */
export const McpHttpKey = z.object({
  version: z.literal(1),
  /** 256 bits in hex. */
  token: z.string().regex(/^[0-9a-f]{64}$/),
  /** The port that was served last; null before. */
  port: z.number().int().min(1).max(65_535).nullable(),
});
export type McpHttpKey = z.infer<typeof McpHttpKey>;

const TOKEN_BYTES = 32;
const OTHERS = 0o077;

export function httpKeyPath(dataFolder: string): string {
  return join(dataFolder, 'mcp-http.json');
}

/** Null where there is none, or one that others could have read or written. Never throws. */
export function readHttpKey(dataFolder: string): McpHttpKey | null {
  let fd: number;
  try {
    fd = openSync(httpKeyPath(dataFolder), constants.O_RDONLY | NOFOLLOW);
  } catch {
    return null; // said above
  }
  try {
    const { uid, mode } = fstatSync(fd);
    const own = process.geteuid?.() ?? null;
    if (own !== null && (uid !== own || (mode & OTHERS) !== 0)) return null;
    return McpHttpKey.parse(JSON.parse(readFileSync(fd, 'utf8')));
  } catch {
    return null; // said above
  } finally {
    closeSync(fd);
  }
}

/** With another token. Rejects when the disk refuses. */
export async function rotateHttpKey(dataFolder: string): Promise<McpHttpKey> {
  const port = readHttpKey(dataFolder)?.port ?? null;
  return await write(dataFolder, { version: 1, token: randomBytes(TOKEN_BYTES).toString('hex'), port });
}

/** The same at each start; made where there is none that can be believed. */
export class HttpKeyFile {
  readonly #folder: string;
  #key: McpHttpKey;
  #state: string;

  private constructor(folder: string, key: McpHttpKey) {
    this.#folder = folder;
    this.#key = key;
    this.#state = stateOf(folder);
  }

  static async open(dataFolder: string): Promise<HttpKeyFile> {
    return new HttpKeyFile(dataFolder, readHttpKey(dataFolder) ?? (await rotateHttpKey(dataFolder)));
  }

  /** As the file says now, so that a token that was replaced opens nothing any more; the last one where the file cannot be believed. */
  get token(): string {
    const state = stateOf(this.#folder);
    if (state !== this.#state) {
      this.#key = readHttpKey(this.#folder) ?? this.#key;
      this.#state = state;
    }
    return this.#key.token;
  }

  get lastPort(): number | null {
    return this.#key.port;
  }

  /** A disk that refuses costs the memory of it. */
  async keepPort(port: number): Promise<void> {
    if (this.#key.port === port) return;
    this.#key = await write(this.#folder, { ...this.#key, token: this.token, port }).catch(() => this.#key);
    this.#state = stateOf(this.#folder);
  }
}

async function write(dataFolder: string, key: McpHttpKey): Promise<McpHttpKey> {
  await replaceFile(httpKeyPath(dataFolder), `${JSON.stringify(key)}\n`);
  return key;
}

function stateOf(dataFolder: string): string {
  const stat = lstatSync(httpKeyPath(dataFolder), { throwIfNoEntry: false, bigint: true });
  return stat ? [stat.ino, stat.mtimeNs, stat.ctimeNs, stat.mode].join() : '';
}
