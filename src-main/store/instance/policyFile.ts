import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_POLICY, Policy, STRICTEST_POLICY } from '../../contract/mcp/policy.ts';
import { lineAndColumn, offsetOf, parseJsonc, repeatedKey } from '../../util/parseJsonc.ts';
import { asDiskError, NOFOLLOW } from '../files/Disk.ts';

/** What a person writes fits many times. */
const MAX_POLICY_BYTES = 256 * 1024;
const WRITABLE_BY_OTHERS = 0o022n;

/** Why a policy file is not used. Line and column count from 1; null when it is not about the text. */
export interface PolicyProblem {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  /** A sentence for people, without the path. */
  readonly reason: string;
}

/**
 * `policy` is in force: the file's; the defaults when there is none (anybody may look, nobody may act); the strictest when there is a
 * problem (every terminal is hidden, every command denied), for what was meant cannot be known, and an older one may be what was taken back.
 */
export interface PolicyReading {
  readonly policy: Policy;
  readonly source: 'file' | 'none' | 'refused';
  readonly problem: PolicyProblem | null;
}

/** Where the person's policy stands: beside settings.json, never in a workspace. */
export function policyPath(dataFolder: string): string {
  return join(dataFolder, 'policy.json');
}

/** The policy in force, looked at anew with each question: a rule that was just taken back is never used once more. */
export class PolicyFile {
  readonly path: string;
  #state: string | null = null;
  #reading: PolicyReading = { policy: DEFAULT_POLICY, source: 'none', problem: null };

  constructor(dataFolder: string) {
    this.path = policyPath(dataFolder);
  }

  /** The same object as long as the file is the same. Never throws. */
  read(): PolicyReading {
    const state = stateOf(this.path);
    if (state !== null && state === this.#state) return this.#reading;
    this.#reading = readPolicyFile(this.path);
    // one that changed while it was read, or so lately that one more change may show no other time, is read again next time
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
  const twice = repeatedKey(root); // a person would see the one, a program the other
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

/** The text, null when there is no file. Throws a Refusal when somebody else could have written it. */
function readOwn(path: string): string | null {
  let fd: number;
  try {
    // NONBLOCK: a pipe in its place must not hold the core up
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

/** Of every clock that file systems keep, with room. */
const CLOCK_TICK_MS = 2500;

function isSettled(path: string): boolean {
  const agoMs = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Number.NaN);
  return agoMs > CLOCK_TICK_MS;
}

/** Changes with every change of the file, its owner and its mode: the time of the last one cannot be set by hand. Null when it cannot be told. */
function stateOf(path: string): string | null {
  try {
    const [file, folder] = [lstatSync(path, { bigint: true }), lstatSync(dirname(path), { bigint: true })];
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs, folder.uid, folder.mode].join(' ');
  } catch {
    return null; // none, or one that cannot be looked at: reading says which
  }
}
