import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RigAgent } from './Agent.ts';
import { type AgentSpec, cacheFolder, isInstalled, order, RigError, versionFolder } from './versions.ts';

const LONGEST_MS = 15 * 60_000;
const OFFLINE = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/;
const UNKNOWN = /^(ETARGET|E404|ENOVERSIONS)$/;

/** Installs the version into the cache unless it is there, and returns its number. Throws a RigError that says what to do. */
export async function installAgent({ agent, wanted }: AgentSpec, say: (line: string) => void): Promise<string | null> {
  if (wanted === null) return null;
  if (isInstalled(agent, wanted)) return wanted;
  const version = await resolveVersion(agent, wanted);
  if (!isInstalled(agent, version)) {
    say(`${agent.name} ${version}: installing into ${versionFolder(agent, version)}`);
    await install(agent, version);
  }
  return version;
}

/** The registry's newest version for a version, a range or a tag. */
async function resolveVersion(agent: RigAgent, wanted: string): Promise<string> {
  const name = `${agent.name}@${wanted}`;
  const { code, out } = await npm(['view', `${agent.package}@${wanted}`, 'version', '--json'], name);
  if (code === null && out.trim() !== '') {
    const found = [JSON.parse(out) as string | string[]].flat().sort(order).at(-1);
    if (found) return found;
  }
  if (code !== null && !UNKNOWN.test(code)) throw failure(code, name, out);
  const list = `npm view ${agent.package} versions`;
  throw new RigError(`${name}: the npm registry has no such version of ${agent.package}; "${list}" lists them`);
}

async function install(agent: RigAgent, version: string): Promise<void> {
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(cacheFolder(), '.installing-'));
  const name = `${agent.name}@${version}`;
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error'];
  try {
    // Scripts of dependencies build parts that sessions do not need. The agent's own script may install its program.
    const added = await npm(
      ['install', ...flags, '--no-save', '--ignore-scripts', `${agent.package}@${version}`],
      name,
    );
    if (added.code !== null) throw failure(added.code, name, added.out);
    const built = await npm(['rebuild', ...flags, agent.package], name);
    if (built.code !== null) throw failure(built.code, name, built.out);
    renameSync(folder, versionFolder(agent, version));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface NpmResult {
  /** npm's error code, or null on success. */
  readonly code: string | null;
  /** npm's output, or the reason of a failure. */
  readonly out: string;
}

function npm(args: readonly string[], what: string): Promise<NpmResult> {
  return new Promise((resolve, reject) => {
    execFile('npm', [...args], { timeout: LONGEST_MS, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (!error) return resolve({ code: null, out: stdout });
      if (error.code === 'ENOENT') return reject(new RigError(`${what}: npm was not found; it comes with Node.js`));
      const code = /^npm (?:error|ERR!) code (\w+)/m.exec(stderr)?.[1] ?? (error.killed ? 'ETIMEDOUT' : 'unknown');
      resolve({ code, out: stderr });
    });
  });
}

function failure(code: string, name: string, out: string): RigError {
  if (OFFLINE.test(code)) {
    return new RigError(`${name}: the npm registry did not answer (${code}); check the network, then try again`);
  }
  const lines = out.split('\n').filter((line) => /^npm (error|ERR!)/.test(line));
  return new RigError(`${name}: the installation failed (${code}); nothing was kept\n${lines.slice(0, 6).join('\n')}`);
}
