import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { PastAgent } from './PastAgent.ts';
import { qwen } from './qwen.ts';

/** Every agent whose own logs can be imported, one line each. */
export const PAST_AGENTS: readonly PastAgent[] = [claude, codex, gemini, opencode, copilot, qwen];

/** The command line with which that conversation goes on; null where the agent has none, or the id is no id. */
export function resumeCommand(agent: string, id: string | null): string | null {
  if (id === null || !/^[\w-]{1,128}$/.test(id) || id.startsWith('-')) return null;
  return PAST_AGENTS.find((one) => one.agent === agent)?.resume?.(id) ?? null;
}
