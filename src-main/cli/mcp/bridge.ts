import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { PROFILES, type Profile } from '../../contract/mcp/mcpWire.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import type { Catalog } from '../../mcp/bridge/Catalog.ts';
import { runBridge } from '../../mcp/bridge/runBridge.ts';
import { endpointPlace, readEndpoints } from '../../store/instance/mcpEndpoint.ts';
import { systemClock } from '../../util/Clock.ts';
import { escapeLine } from '../../util/escapeControls.ts';

// The command line's entry loads this module alone, so that a client gets its first answer before the other commands would be loaded. Nothing here
// may import commander, zod or the SDK.

/** Options of `hansard mcp`; `home` is a data folder, null the default one. */
export interface BridgeOptions {
  readonly profile: Profile;
  readonly home: string | null;
  /** Whether watches send notifications to the client's session. */
  readonly hasChannel: boolean;
}

/** Runs the bridge of this process until its client ends. */
export async function bridgeHere({ profile, home, hasChannel }: BridgeOptions): Promise<void> {
  // A client may share its terminal with this process: Ctrl+C there is for the client, which keeps running. It ends this process by closing stdin, or
  // by SIGTERM.
  if (!process.stdin.isTTY) process.on('SIGINT', () => undefined);
  process.stderr.on('error', () => undefined); // an error on stderr cannot be reported
  const { version, mcpCatalog } = findAppFiles();
  const place = endpointPlace(process.env, process.platform, homedir());
  await runBridge({
    stdin: process.stdin,
    stdout: process.stdout,
    complain: (sentence) => process.stderr.write(`hansard mcp: ${escapeLine(sentence)}\n`),
    clock: systemClock,
    locate: () => readEndpoints(home, place),
    uid: place.uid,
    self: { pid: process.pid, ppid: process.ppid, cwd: currentFolder() },
    profile,
    hasChannel,
    version,
    loadCatalog: () => loadCatalog(profile, { version, path: mcpCatalog }),
    ownPrefix: `hansard-${randomBytes(8).toString('hex')}-`,
  });
}

/** Reads the catalogue that the build wrote to `path`. Without a build it is generated, which takes five times as long as the rest. */
async function loadCatalog(
  profile: Profile,
  { version, path }: { version: string; path: string | null },
): Promise<Catalog> {
  if (path === null) return (await import('../../mcp/server/catalog.ts')).catalog(profile, version);
  const built = (JSON.parse(await readFile(path, 'utf8')) as Record<Profile, Catalog>)[profile];
  return { ...built, serverInfo: { ...built.serverInfo, version } };
}

/** `$HANSARD_HOME` applies if a client passes it on, as with every command. */
export function bridgeHome(option: string | undefined, env: NodeJS.ProcessEnv): string | null {
  const home = option ?? env.HANSARD_HOME;
  return home ? resolve(homedir(), home) : null;
}

/** The options, if all arguments are the bridge's own; null otherwise, and the command line handles them. */
export function readBridgeArguments(argv: readonly string[], env: NodeJS.ProcessEnv): BridgeOptions | null {
  const given = new Map<string, string>();
  const hasChannel = argv.includes('--channel');
  const others = argv.filter((word) => word !== '--channel');
  for (let at = 0; at < others.length; at += 1) {
    const [, name = '', inline] = /^--(profile|home)(?:=(.*))?$/s.exec(others[at] ?? '') ?? [];
    const value = inline ?? others[at + 1];
    if (name === '' || value === undefined) return null;
    given.set(name, value);
    if (inline === undefined) at += 1;
  }
  const profile = PROFILES.find((one) => one === (given.get('profile') ?? 'standard'));
  return profile ? { profile, home: bridgeHome(given.get('home'), env), hasChannel } : null;
}

/** The folder may have been removed since the client started. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
