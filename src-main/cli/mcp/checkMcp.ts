import { lstatSync } from 'node:fs';
import type { McpEndpoint } from '../../contract/mcp/mcp.ts';
import { asFields } from '../../mcp/bridge/messages.ts';
import { readSetup } from '../../mcp/setup/changeSetup.ts';
import { SETUP_CLIENTS } from '../../mcp/setup/clients/all.ts';
import type { SetupPlace } from '../../mcp/setup/SetupClient.ts';
import { processStart } from '../../store/files/processIdentity.ts';
import { type EndpointPlace, type EndpointRead, readEndpoints } from '../../store/instance/mcpEndpoint.ts';
import { policyPath, readPolicyFile } from '../../store/instance/policyFile.ts';
import { type Check, checksOf } from '../doctor/Check.ts';
import { count } from '../print/formatFigures.ts';
import { AppAsker } from './askApp.ts';
import { checkHttp } from './checkHttp.ts';

const check = checksOf('mcp');
const RESTART = 'close Hansard and start it again';

/** What to show beside the findings. */
export interface Shown {
  /** The person asked for the token, which opens the app to every reader of it. */
  readonly showsToken: boolean;
}

/** Follows a call step by step, as a bridge makes it: file, process, socket, preface, handshake, list, call. Stops at the first failure. */
export async function checkWay(home: string | null, place: EndpointPlace, shown: Shown): Promise<Check[]> {
  const found = readEndpoints(home, place);
  const refused = found.flatMap((one) =>
    one.status === 'refused' ? [check.bad('endpoint', one.reason, one.fix ?? RESTART)] : [],
  );
  const good = found.find((one): one is EndpointRead & { status: 'ok' } => one.status === 'ok');
  if (!good) {
    const looked = found.map(({ path }) => path).join(' and ');
    return refused.length > 0
      ? refused
      : [check.bad('endpoint', `no Hansard runs with an MCP socket: nothing at ${looked}`, 'hansard')];
  }
  const file = check.ok('endpoint', `${good.path} is for you alone`);
  const { endpoint } = good;
  if (processStart(endpoint.pid) === null) {
    const text = `Hansard (process ${endpoint.pid}) is gone and left ${good.path} behind`;
    return [...refused, file, check.bad('process', text, 'hansard')];
  }
  const alive = check.ok('process', `Hansard ${endpoint.appVersion} runs (process ${endpoint.pid})`);
  const talk = await checkTalk(endpoint);
  return [...refused, file, alive, judgeSocket(endpoint, place), ...talk, await checkHttp(endpoint, shown)];
}

function judgeSocket({ socketPath }: McpEndpoint, { uid }: EndpointPlace): Check {
  if (uid === null) return check.note('socket', 'this platform has no modes for pipes: the token alone guards it');
  const stat = lstatSync(socketPath, { throwIfNoEntry: false });
  if (!stat?.isSocket()) return check.bad('socket', `${socketPath} is no socket`, RESTART);
  if (stat.uid !== uid) return check.bad('socket', `${socketPath} belongs to another user (uid ${stat.uid})`, RESTART);
  if (stat.mode & 0o077) return check.bad('socket', `${socketPath} is open to others`, `chmod 600 ${socketPath}`);
  return check.ok('socket', `${socketPath} is for you alone`);
}

async function checkTalk(endpoint: McpEndpoint): Promise<Check[]> {
  let asker: AppAsker;
  try {
    asker = await AppAsker.connect(endpoint);
  } catch (error) {
    return [check.bad('connect', `nobody listens at ${endpoint.socketPath}: ${wordsOf(error)}`, RESTART)];
  }
  const done: Check[] = [];
  try {
    for (const [id, step] of STEPS) done.push(check.ok(id, await step(asker)));
  } catch (error) {
    const [id = ''] = STEPS[done.length] ?? [];
    done.push(check.bad(id, `${FAILED[id] ?? 'a step failed'}: ${wordsOf(error)}`, RESTART));
  } finally {
    asker.dispose();
  }
  return done;
}

const STEPS: readonly (readonly [string, (asker: AppAsker) => Promise<string>])[] = [
  [
    'handshake',
    async (asker) => {
      const clientInfo = { name: 'hansard-doctor', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const { serverInfo, protocolVersion } = await asker.ask('initialize', params);
      asker.tell('notifications/initialized');
      const { name, version } = asFields(serverInfo) ?? {};
      return `${String(name)} ${String(version)} lets us in and speaks MCP ${String(protocolVersion)}`;
    },
  ],
  [
    'tools',
    async (asker) => {
      const { tools } = await asker.ask('tools/list', {});
      if (!Array.isArray(tools) || tools.length === 0) throw new Error('the list is empty');
      return `it lists ${count(tools.length, 'tool')}`;
    },
  ],
  [
    'call',
    async (asker) => {
      const { isError, structuredContent, content } = await asker.ask('tools/call', {
        name: 'pty_whoami',
        arguments: {},
      });
      if (isError === true) throw new Error(JSON.stringify(content).slice(0, 300));
      const { scopes } = asFields(structuredContent) ?? {};
      return `a call is answered; we may: ${Array.isArray(scopes) ? scopes.join(', ') : 'unknown'}`;
    },
  ],
];
const FAILED: Readonly<Record<string, string>> = {
  handshake: 'it does not let us in',
  tools: 'it does not list its tools',
  call: 'a call fails',
};

export function checkPolicy(dataFolder: string): Check {
  const path = policyPath(dataFolder);
  const { source, problem } = readPolicyFile(path);
  if (source === 'none') return check.note('policy', `no ${path}: clients may look, and nothing more`);
  if (!problem) return check.ok('policy', `${path} is in force`);
  const where = problem.line === null ? '' : ` (line ${problem.line}, column ${problem.column ?? 1})`;
  return check.bad('policy', `${path} is not used, so nothing is allowed: ${problem.reason}${where}`, `fix ${path}`);
}

/** Which clients start Hansard, and whether the configured program exists. */
export async function checkClients(place: SetupPlace): Promise<Check[]> {
  const checks = await Promise.all(
    SETUP_CLIENTS.map(async (client): Promise<Check[]> => {
      const id = `client.${client.name}`;
      const again = `hansard mcp setup ${client.name}`;
      try {
        const { file, entry } = await readSetup(client, place);
        if (entry === undefined) return [];
        const { command, args } = asFields(entry) ?? {};
        const script = Array.isArray(args) ? args[0] : undefined;
        const missing = [command, script].find((path) => typeof path !== 'string' || !isThere(path));
        return missing === undefined
          ? [check.ok(id, `${client.title} starts us (${file})`)]
          : [check.bad(id, `${client.title} would start what is not there: ${String(missing)} (${file})`, again)];
      } catch (error) {
        return [
          check.warn(
            id,
            `${client.configFile(place)} cannot be read: ${wordsOf(error)}`,
            `fix the file, then: ${again}`,
          ),
        ];
      }
    }),
  );
  const found = checks.flat();
  const fix = `hansard mcp setup <client>    # one of: ${SETUP_CLIENTS.map(({ name }) => name).join(', ')}`;
  return found.length > 0 ? found : [check.warn('client', 'no client that we know of starts us', fix)];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
