import { Agents, type AgentsSpec } from '../agents/Agents.ts';
import type { SystemInfo } from '../contract/api.ts';
import type { Block } from '../contract/block.ts';
import type { Conversation } from '../contract/chat/chat.ts';
import { Machines } from '../machines/Machines.ts';
import type { EverywhereSearch } from '../search/EverywhereSearch.ts';
import { shortFolder } from '../store/instance/privateSocket.ts';
import { Telemetry, type TelemetrySpec } from '../telemetry/Telemetry.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { ShellCatalog } from '../terminal/ShellCatalog.ts';
import type { CoreOptions } from './CoreOptions.ts';
import type { TerminalRegistry } from './TerminalRegistry.ts';

export { adoptShells } from './adoptShells.ts';

/** The exit code of a command that the shell did not find, so nothing ran. */
const NOT_FOUND = 127;
/** A command may be followed by output of jobs in the background. */
const NEWEST_BLOCKS = 20;

/** Reads the last command of the shell before the current one; of the current one if there was no other. */
async function lastCommandBefore(book: PtyInstance['book'] | undefined): Promise<Block | null> {
  const dividers = await book?.dividers.all();
  const ended = dividers?.findLast(({ kind }) => kind === 'restored' || kind === 'exited');
  const page = await book?.page({ limit: NEWEST_BLOCKS, ...(ended && { beforeSeq: ended.afterSeq + 1 }) });
  return page?.blocks.findLast(({ kind, exitCode }) => kind === 'command' && exitCode !== NOT_FOUND) ?? null;
}

/** The parts of a core that telemetry needs. */
export interface TelemetrySource extends Pick<TelemetrySpec, 'notices' | 'settings' | 'chats'> {
  readonly outside: { readonly record: { isChatSeen(chat: Pick<Conversation, 'terminalId' | 'cwd'>): boolean } };
}

/** Starts telemetry of a core. The core reports changes of the record, and disposes it. */
async function startTelemetry(core: TelemetrySource, options: CoreOptions): Promise<Telemetry> {
  const { notices, settings, chats, outside } = core;
  const isPrivate = (terminalId: string, cwd: string | null = null): boolean =>
    !outside.record.isChatSeen({ terminalId, cwd });
  const telemetry = await Telemetry.open({ ...options, notices, settings, chats, isPrivate });
  telemetry.start();
  return telemetry;
}

/** The parts of a core that agents need. */
export interface AgentsSource extends Pick<AgentsSpec, 'settings' | 'opening' | 'chats' | 'warn'> {
  readonly options: CoreOptions;
  readonly search: EverywhereSearch;
  readonly clients: Pick<AgentsSpec, 'turns'>;
  readonly terminals: TerminalRegistry;
}

/** Creates the agents list, changes and past conversations of a core. The core disposes them. */
function openAgents({ options, search, clients, terminals, ...core }: AgentsSource): Promise<Agents> {
  return Agents.open({
    ...options,
    ...core,
    terminals,
    turns: clients.turns,
    find: (...wish) => search.find(...wish),
    openIds: () => terminals.all.map(({ id }) => id),
    lastCommandBefore: (id) => lastCommandBefore(terminals.find(id)?.book),
    terminal: (id) => terminals.find(id),
    onImported: () => search.look(),
    isOn: () => core.settings.value['agents.changes'],
  });
}

/** Opens the machines of a core and reconnects earlier ones. The core disposes them. */
function openMachines({ machines, ...options }: CoreOptions, coreId: string): Promise<Machines> {
  return Machines.open({ ...options, ...machines, coreId, folder: shortFolder(options.dataFolder) });
}

/** The parts that a core starts once its terminals are open. */
export interface LateParts {
  readonly agents: Agents;
  readonly telemetry: Telemetry;
  readonly machines: Machines;
}

export async function openLateParts(
  core: TelemetrySource & { readonly info: { readonly coreId: string } },
  own: AgentsSource,
): Promise<LateParts> {
  const agents = await openAgents(own);
  const telemetry = await startTelemetry(core, own.options);
  return { agents, telemetry, machines: await openMachines(own.options, core.info.coreId) };
}

/** What a front asks about the core. The time is that of the question. */
export function systemInfo(
  { home, platform, dataFolder, hostName, build, files, clock, randomId }: CoreOptions,
  { choices: shells, defaultPath: defaultShell }: Pick<ShellCatalog, 'choices' | 'defaultPath'>,
): Omit<SystemInfo, 'frontend'> {
  return {
    ...{ version: files.version, build, home, platform, shells, defaultShell, dataFolder, hostName },
    coreId: randomId(8),
    get nowMs() {
      return clock.nowMs();
    },
  };
}
