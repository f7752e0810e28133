import type { RigCase } from '../drive/steps.ts';
import { BASIC } from './basic.ts';
import { COMMANDS } from './commands.ts';
import { TOOLS } from './tools.ts';
import { TURNS } from './turns.ts';

export const CASES: readonly RigCase[] = [BASIC, ...TURNS, ...TOOLS, ...COMMANDS];
