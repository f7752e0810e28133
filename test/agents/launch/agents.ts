import type { RigAgent } from './Agent.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

export const AGENTS: readonly RigAgent[] = [claude, gemini, codex, opencode, copilot, qwen, kimi, cline];
