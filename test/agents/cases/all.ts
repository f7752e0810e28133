import type { RigCase } from '../drive/steps.ts';
import { COMMANDS } from './commands.ts';
import { TOOLS } from './tools.ts';
import { TURNS } from './turns.ts';

export const CASES: readonly RigCase[] = [...TURNS, ...TOOLS, ...COMMANDS];
