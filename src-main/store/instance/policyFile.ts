import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_POLICY, Policy, STRICTEST_POLICY } from '../../contract/mcp/policy.ts';
import { lineAndColumn, offsetOf, parseJsonc, repeatedKey } from '../../util/parseJsonc.ts';
import { asDiskError, NOFOLLOW } from '../files/Disk.ts';

/** Many times more than a person writes. */
const MAX_POLICY_BYTES = 256 * 1024;
const WRITABLE_BY_OTHERS = 0o022n;

/** Why a policy file is not used. Line and column count from 1; null if the problem is not in the text. */
export interface PolicyProblem {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  /** A sentence for people, without the path. */
  readonly reason: string;
}

/**
 * `policy` is in force: the file's; without a file the defaults (read anything, do nothing); after a problem the strictest one (every terminal
 * hidden, every command denied), because the intent is unknown and an older policy may allow what the person has since revoked.
 */
export interface PolicyReading {
  readonly policy: Policy;
  readonly source: 'file' | 'none' | 'refused';
  readonly problem: PolicyProblem | null;
}

/** Path of the person's policy: beside settings.json, never in a workspace. */
export function policyPath(dataFolder: string): string {
  return join(dataFolder, 'policy.json');
}

/** The policy in force, checked against the file at each use, so that a revoked rule never applies again. */
export class PolicyFile {
  readonly path: string;
  #state: string | null = null;
  #reading: PolicyReading = { policy: DEFAULT_POLICY, source: 'none', problem: null };

  constructor(dataFolder: string) {
    this.path = policyPath(dataFolder);
  }

  /** Returns the same object until the file changes. Never throws. */
  read(): PolicyReading {
    const state = stateOf(this.path);
    if (state !== null && state === this.#state) return this.#reading;
    this.#reading = readPolicyFile(this.path);
    // a file that changed during the read, or so recently that another change may get the same time, is read again next time
    this.#state = stateOf(this.path) === state && isSettled(this.path) ? state : null;
    return this.#reading;
  }
}

/** Reads the file as it is now. Never throws. */
export function readPolicyFile(path: string): PolicyReading {
  let text: string | null;
  try {
    text = readOwn(path);
  } catch (thrown) {
    return refuse(
      path,
      thrown instanceof Refusal ? thrown.message : `it could not be read: ${asDiskError(thrown).reason}`,
    );
  }
  return text === null ? { policy: DEFAULT_POLICY, source: 'none', problem: null } : judge(path, text);
}

function judge(path: string, text: string): PolicyReading {
  const parsed = parseJsonc(text);
  if (!parsed.ok) return refuse(path, parsed.reason, lineAndColumn(text, parsed.offset));
  const { root } = parsed;
  const twice = repeatedKey(root); // a person might see one of them and a program use the other
  if (twice)
    return refuse(path, `the key ${JSON.stringify(twice.key)} stands here twice`, lineAndColumn(text, twice.offset));
  const checked = Policy.safeParse(root.value);
  if (checked.success) return { policy: checked.data, source: 'file', problem: null };
  const [issue] = checked.error.issues;
  const place = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? key.toString() : key));
  const inner = issue?.code === 'unrecognized_keys' ? [...place, issue.keys[0] ?? ''] : place;
  const shown = place.length > 0 ? `${place.join('.')}: ` : '';
  return refuse(path, `${shown}${issue?.message ?? 'not a policy'}`, lineAndColumn(text, offsetOf(root, inner)));
}

function refuse(path: string, reason: string, place: { line: number; column: number } | null = null): PolicyReading {
  const problem = { path, reason, line: place?.line ?? null, column: place?.column ?? null };
  return { policy: STRICTEST_POLICY, source: 'refused', problem };
}

class Refusal extends Error {}

/** Returns the text, or null if there is no file. Throws a Refusal if another user could have written it. */
function readOwn(path: string): string | null {
  let fd: number;
  try {
    // NONBLOCK: a FIFO at this path must not block the core
    fd = openSync(path, constants.O_RDONLY | NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    const { code } = asDiskError(thrown);
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP') throw new Refusal('it is a symbolic link; the policy has to stand here itself');
    throw thrown;
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) throw new Refusal('it is not a file');
    checkOwner(stat, 'it');
    checkOwner(lstatSync(dirname(path), { bigint: true }), 'its folder');
    if (stat.size > MAX_POLICY_BYTES) throw new Refusal(`it is larger than ${MAX_POLICY_BYTES / 1024} KiB`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(fd));
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new Refusal('it is not UTF-8');
    throw thrown;
  } finally {
    closeSync(fd);
  }
}

function checkOwner({ uid, mode }: BigIntStats, what: string): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  if (uid !== BigInt(own)) throw new Refusal(`${what} belongs to another user (uid ${uid}, we are ${own})`);
  if ((mode & WRITABLE_BY_OTHERS) !== 0n) throw new Refusal(`${what} can be written by others (chmod go-w)`);
}

/** Longer than the time resolution of any file system. */
const CLOCK_TICK_MS = 2500;

function isSettled(path: string): boolean {
  const agoMs = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.NaN);
  return agoMs > CLOCK_TICK_MS;
}

/** Changes with the file, its owner and its mode: no program can set the time of the last change. Null if the file cannot be examined. */
function stateOf(path: string): string | null {
  try {
    const [file, folder] = [lstatSync(path, { bigint: true }), lstatSync(dirname(path), { bigint: true })];
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs, folder.uid, folder.mode].join(' ');
  } catch {
    return null; // missing or not accessible: reading finds out which
  }
}
