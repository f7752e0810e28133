import type { SetupClient } from '../SetupClient.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { vscode } from './vscode.ts';
import { zed } from './zed.ts';

export const SETUP_CLIENTS: readonly SetupClient[] = [claude, gemini, codex, vscode, cursor, zed];
