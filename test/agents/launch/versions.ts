import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installedVersion, type RigAgent } from './Agent.ts';
import { AGENTS } from './agents.ts';

/** An agent of the command line: `claude`, `claude@2.1.54`, `claude@latest`. */
export interface AgentSpec {
  readonly agent: RigAgent;
  /** A version, range or tag of the registry. Null: the version that test/agents pins. */
  readonly wanted: string | null;
}

/** An error that the user can fix. The message says how, so the rig prints no stack. */
export class RigError extends Error {}

export function parseAgent(text: string): AgentSpec {
  const [name = '', ...rest] = text.split('@');
  const agent = AGENTS.find((known) => known.name === name);
  const known = AGENTS.map((one) => one.name).join(', ');
  if (!agent) throw new RigError(`unknown agent "${name}": choose one of ${known}`);
  if (rest.length === 0) return { agent, wanted: null };
  const wanted = rest.join('@');
  if (!/^[\w~^][\w.+-]*$/.test(wanted)) {
    throw new RigError(`"${text}" names no version: write ${name}@VERSION, such as ${name}@latest`);
  }
  return { agent, wanted };
}

/** Folder of versions other than the pinned ones, outside of the repository because each takes up to 600 MB. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hansard-rig');
}

export function versionFolder({ name }: Pick<RigAgent, 'name'>, version: string): string {
  return join(cacheFolder(), `${name}@${version}`);
}

/** The agent in that version: the pinned one if it is the same, else the one in the cache, which may not be installed yet. */
export function atVersion(agent: RigAgent, version: string | null): RigAgent {
  if (version === null || installedVersion(agent) === version) return agent;
  return { ...agent, ...changesOf(agent, version), modules: join(versionFolder(agent, version), 'node_modules') };
}

export function isInstalled(agent: RigAgent, version: string): boolean {
  return installedVersion(agent) === version || existsSync(versionFolder(agent, version));
}

/** Changes of all entries of `older` that apply to the version. */
function changesOf({ older = [] }: RigAgent, version: string): Partial<RigAgent> {
  const changes = older.filter(({ before }) => isBefore(version, before)).map(({ before: _, ...rest }) => rest);
  return Object.assign({}, ...changes.reverse());
}

/** Compares version numbers; a pre-release counts as its release. */
export function isBefore(version: string, other: string): boolean {
  return order(version, other) < 0;
}

export function order(version: string, other: string): number {
  const [mine, theirs] = [version, other].map((one) => (one.split('-')[0] ?? '').split('.').map(Number));
  const at = (mine ?? []).findIndex((part, index) => part !== theirs?.[index]);
  return at < 0 ? 0 : (mine?.[at] ?? 0) - (theirs?.[at] ?? 0);
}
