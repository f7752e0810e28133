import type { HookSource } from '../../status/HookSource.ts';
import { claudeHooks } from './claude/hooks.ts';
import { codexHooks } from './codex/hooks.ts';
import { geminiHooks } from './gemini/hooks.ts';

/** All agents whose hooks we can install and read, one line each. */
export const HOOK_SOURCES: readonly HookSource[] = [claudeHooks, codexHooks, geminiHooks];
