import type { OwnLog } from '../../reconcile/LogMessage.ts';
import type { OwnDatabase } from '../../reconcile/OwnDatabase.ts';
import { claudeLog } from './claude/ownLog.ts';
import { codexLog } from './codex/ownLog.ts';
import { geminiLog } from './gemini/ownLog.ts';
import { opencodeDatabase } from './opencode/ownDatabase.ts';

/** All agent logs that can be read, one line each. */
export const OWN_LOGS: readonly OwnLog[] = [claudeLog, codexLog, geminiLog];

/** Every own database that can be read, one line each. */
export const OWN_DATABASES: readonly OwnDatabase[] = [opencodeDatabase];
