import { HOOK_SOURCES } from '../extraction/extractors/agents/hooks.ts';
import type { HookSignal } from '../extraction/status/HookSource.ts';
import type { HookCall } from './HookServer.ts';

/** Reads a hook's call; null for an agent without known hooks. */
export function readHook({ agent, event, payload }: Pick<HookCall, 'agent' | 'event' | 'payload'>): HookSignal | null {
  return HOOK_SOURCES.find((source) => source.agent === agent)?.read(event, payload) ?? null;
}
