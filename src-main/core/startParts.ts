import { Agents, type AgentsSpec } from '../agents/Agents.ts';
import type { EverywhereSearch } from '../search/EverywhereSearch.ts';
import { Telemetry, type TelemetrySpec } from '../telemetry/Telemetry.ts';
import type { CoreOptions } from './CoreOptions.ts';
import type { TerminalRegistry } from './TerminalRegistry.ts';

/** What telemetry needs of a core. */
export interface TelemetrySource extends Pick<TelemetrySpec, 'notices' | 'settings' | 'chats'> {
  readonly outside: { readonly record: { isSeen(terminalId: string): boolean } };
}

/** Telemetry of a core. The core reports what is written, and stops it. */
export async function startTelemetry(core: TelemetrySource, options: CoreOptions): Promise<Telemetry> {
  const { notices, settings, chats, outside } = core;
  const isPrivate = (id: string): boolean => !outside.record.isSeen(id);
  const telemetry = await Telemetry.open({ ...options, notices, settings, chats, isPrivate });
  telemetry.start();
  return telemetry;
}

/** What the agents need of a core. */
export interface AgentsSource extends Pick<AgentsSpec, 'settings' | 'opening' | 'chats' | 'warn'> {
  readonly options: CoreOptions;
  readonly search: EverywhereSearch;
  readonly clients: Pick<AgentsSpec, 'turns'>;
  readonly terminals: TerminalRegistry;
}

/** All agents of a core's terminals, what they did and what they said before. The core disposes them. */
export function openAgents({ options, search, clients, terminals, ...core }: AgentsSource): Promise<Agents> {
  return Agents.open({
    ...options,
    ...core,
    terminals,
    turns: clients.turns,
    find: (...wish) => search.find(...wish),
    openIds: () => terminals.all.map(({ id }) => id),
    block: async (id, blockId) => (await terminals.find(id)?.book.get(blockId)) ?? null,
    onImported: () => search.look(),
    isOn: () => core.settings.value['agents.changes'],
  });
}
