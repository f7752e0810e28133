import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats, unlinkSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import type { McpEndpoint } from '../../contract/mcp/mcp.ts';
import { asDiskError, NOFOLLOW } from '../files/Disk.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { ensurePrivateFolder, resolveDataFolder } from './dataFolder.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the paths of endpoint files depend on. `uid` is null if the system has none. */
export interface EndpointPlace {
  readonly env: Env;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly uid: number | null;
}

/** Whether an endpoint file is valid, and why not: `reason` is a sentence, `fix` a one-line remedy, or null if only a restart helps. */
export type EndpointRead =
  | { status: 'ok'; path: string; endpoint: McpEndpoint }
  | { status: 'missing'; path: string }
  | { status: 'refused'; path: string; reason: string; fix: string | null };

/** An endpoint has a few hundred bytes; a larger file is not ours. */
const MAX_BYTES = 64 * 1024;
/** Bits that would let others read the token or write the file. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** Variables that the environment lacks come from the system, because a client may have removed them. */
export function endpointPlace(env: Env, platform: NodeJS.Platform, home: string): EndpointPlace {
  return { env, platform, home, uid: process.geteuid?.() ?? null };
}

/**
 * Paths of the endpoint files that say how to reach the core of `dataFolder` (null: the default one). For the default data folder they are
 * fixed, because a client passes little of the environment to its bridge: one in the runtime folder, for clients that have an
 * environment, and one in the home folder, which all clients find. Any other data folder contains its own (`run/endpoint.json`),
 * so that two cores never share one.
 */
export function endpointPaths(dataFolder: string | null, { env, platform, home, uid }: EndpointPlace): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const usual = resolveDataFolder({ ...env, HANSARD_HOME: undefined }, platform, home);
  if (dataFolder !== null && path.resolve(home, dataFolder) !== usual)
    return [path.join(path.resolve(home, dataFolder), 'run', NAME)];
  if (platform === 'win32' || platform === 'darwin') {
    // without LOCALAPPDATA: the core may have it while a client's environment does not
    return [path.join(resolveDataFolder({}, platform, home), 'mcp', NAME)];
  }
  const runtime = env.XDG_RUNTIME_DIR ?? (uid === null ? '' : `/run/user/${uid}`);
  const state = path.join(home, '.local', 'state', 'hansard', NAME);
  return path.isAbsolute(runtime) ? [path.join(runtime, 'hansard', NAME), state] : [state];
}

const NAME = 'endpoint.json';

/**
 * Writes `endpoint` to every path that accepts it and returns those paths. A refusal (a missing runtime folder) is no failure if
 * another path accepts it; rejects with the last refusal if all refuse.
 */
export async function writeEndpoint(paths: readonly string[], endpoint: McpEndpoint): Promise<string[]> {
  const written: string[] = [];
  let refusal: unknown = null;
  for (const path of paths) {
    try {
      if (!isRuntimeMissing(path)) ensurePrivateFolder(dirname(path));
      await replaceFile(path, `${JSON.stringify(endpoint)}\n`, { fsync: false });
      written.push(path);
    } catch (thrown) {
      refusal = thrown;
    }
  }
  if (written.length === 0) throw refusal;
  return written;
}

/** The login manager owns `/run/user/<uid>`: if it is missing, only root could create it, and root must not. */
function isRuntimeMissing(path: string): boolean {
  const above = dirname(dirname(path));
  return above.startsWith('/run/user/') && lstatSync(above, { throwIfNoEntry: false }) === undefined;
}

/** Removes the endpoint files that this process wrote, never those of a later core. */
export function removeEndpoint(paths: readonly string[], { pid, startedAt }: McpEndpoint): void {
  for (const path of paths) {
    const found = readOne(path, process.geteuid?.() ?? null);
    if (found.status !== 'ok' || found.endpoint.pid !== pid || found.endpoint.startedAt !== startedAt) continue;
    try {
      unlinkSync(path);
    } catch {
      // The file names a socket that does not answer; its readers notice that.
    }
  }
}

/** Reads all paths; valid endpoints come first, and of these the newest start. */
export function readEndpoints(dataFolder: string | null, place: EndpointPlace): EndpointRead[] {
  const found = endpointPaths(dataFolder, place).map((path) => readOne(path, place.uid));
  const startedAt = (one: EndpointRead): number => (one.status === 'ok' ? one.endpoint.startedAt : -1);
  return found.sort((a, b) => startedAt(b) - startedAt(a));
}

function readOne(path: string, uid: number | null): EndpointRead {
  const refused = (reason: string, fix: string | null): EndpointRead => ({ status: 'refused', path, reason, fix });
  let fd: number;
  try {
    const folder = lstatSync(dirname(path));
    const wrong = judgeFolder(dirname(path), folder, uid);
    if (wrong) return refused(wrong.reason, wrong.fix);
    fd = openSync(path, constants.O_RDONLY | NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    const { code } = asDiskError(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing', path };
    if (code === 'ELOOP') return refused(`${path} is a symbolic link: somebody could lead it anywhere`, `rm ${path}`);
    return refused(`${path} cannot be read (${code})`, `ls -ld ${path}`);
  }
  try {
    const wrong = judgeFile(path, fstatSync(fd), uid);
    if (wrong) return refused(wrong.reason, wrong.fix);
    const endpoint = parseEndpoint(readFileSync(fd, 'utf8'));
    return endpoint
      ? { status: 'ok', path, endpoint }
      : refused(`${path} is not an endpoint file of this version`, 'close Hansard and start it again');
  } finally {
    closeSync(fd);
  }
}

interface Wrong {
  reason: string;
  fix: string | null;
}

function judgeFolder(path: string, stat: Stats, uid: number | null): Wrong | null {
  if (stat.isSymbolicLink())
    return { reason: `${path} is a symbolic link: somebody could lead it anywhere`, fix: `rm ${path}` };
  if (!stat.isDirectory()) return { reason: `${path} is not a folder`, fix: `rm ${path}` };
  if (uid === null) return null;
  if (stat.uid !== uid)
    return { reason: `${path} belongs to another user (uid ${stat.uid}, we are ${uid})`, fix: null };
  return stat.mode & OTHERS_WRITE
    ? { reason: `${path} can be written by others (${octal(stat.mode)})`, fix: `chmod 700 ${path}` }
    : null;
}

function judgeFile(path: string, stat: Stats, uid: number | null): Wrong | null {
  if (!stat.isFile() || stat.size > MAX_BYTES)
    return { reason: `${path} is no endpoint file: something stands in its place`, fix: `rm ${path}` };
  if (uid === null) return null;
  if (stat.uid !== uid)
    return { reason: `${path} belongs to another user (uid ${stat.uid}, we are ${uid})`, fix: null };
  return stat.mode & OTHERS
    ? { reason: `${path} is open to others (${octal(stat.mode)} instead of 0600)`, fix: `chmod 600 ${path}` }
    : null;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

/**
 * Parses by hand instead of with the contract's schema: a bridge must answer its client before a schema library could load (150 ms on a
 * small machine). A test of the laws checks that both agree.
 */
export function parseEndpoint(text: string): McpEndpoint | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null; // the caller reports it
  }
  if (typeof json !== 'object' || json === null) return null;
  const { v, pid, startedAt, appVersion, socketPath, token, protocolVersions, httpUrl, httpToken } = json as Record<
    string,
    unknown
  >;
  const isSound =
    v === 1 &&
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    Number.isFinite(startedAt) &&
    [appVersion, socketPath, token].every((one) => typeof one === 'string') &&
    Array.isArray(protocolVersions) &&
    protocolVersions.every((one) => typeof one === 'string') &&
    [httpUrl, httpToken].every((one) => one === undefined || typeof one === 'string');
  if (!isSound) return null;
  const known = { v, pid, startedAt, appVersion, socketPath, token, protocolVersions };
  const http = { ...(httpUrl !== undefined && { httpUrl }), ...(httpToken !== undefined && { httpToken }) };
  return { ...known, ...http } as McpEndpoint;
}
