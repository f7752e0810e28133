import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openRegularNow } from '../files/readPiece.ts';
import { replaceFile } from '../files/replaceFile.ts';

/** mcp-http.json in the data folder, readable only by its owner: the token and the port for MCP clients over HTTP. */
export const McpHttpKey = z.object({
  version: z.literal(1),
  /** 256 bits in hex. */
  token: z.string().regex(/^[0-9a-f]{64}$/),
  /** The last port; null before the first start. */
  port: z.number().int().min(1).max(65_535).nullable(),
});
export type McpHttpKey = z.infer<typeof McpHttpKey>;

const TOKEN_BYTES = 32;
const OTHERS = 0o077;

export function httpKeyPath(dataFolder: string): string {
  return join(dataFolder, 'mcp-http.json');
}

/** Reads the file; null if it does not exist, or if others could have read or written it. Never throws. */
export function readHttpKey(dataFolder: string): McpHttpKey | null {
  let fd: number;
  try {
    fd = openRegularNow(httpKeyPath(dataFolder));
  } catch {
    return null; // the file cannot be opened
  }
  try {
    const { uid, mode } = fstatSync(fd);
    const own = process.geteuid?.() ?? null;
    if (own !== null && (uid !== own || (mode & OTHERS) !== 0)) return null;
    return McpHttpKey.parse(JSON.parse(readFileSync(fd, 'utf8')));
  } catch {
    return null; // the content is not valid
  } finally {
    closeSync(fd);
  }
}

/** Writes a new token. Rejects with errors of the disk. */
export async function rotateHttpKey(dataFolder: string): Promise<McpHttpKey> {
  const port = readHttpKey(dataFolder)?.port ?? null;
  return await write(dataFolder, { version: 1, token: randomBytes(TOKEN_BYTES).toString('hex'), port });
}

/** Returns the same token at each start. Creates one if the file cannot be trusted or does not exist. */
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

  /** Returns the token in the file now, so that a replaced token stops working; the last one if the file cannot be trusted. */
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

  /** If the disk refuses, the port is not remembered. */
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
