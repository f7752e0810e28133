import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { PastAgent } from './PastAgent.ts';
import { qwen } from './qwen.ts';

/** Every agent whose logs can be imported, one line each. */
export const PAST_AGENTS: readonly PastAgent[] = [claude, codex, gemini, opencode, copilot, qwen];

/** Returns the command line that continues a conversation; null if the agent has no command for it or the id is not valid. */
export function resumeCommand(agent: string, id: string | null): string | null {
  if (id === null || !/^[\w-]{1,128}$/.test(id) || id.startsWith('-')) return null;
  return PAST_AGENTS.find((one) => one.agent === agent)?.resume?.(id) ?? null;
}
