import type { IExtractor } from '../../../../contract/chat/extractor.ts';
import { startsProgram } from '../commandWords.ts';
import { type PromptLook, promptedMessages } from '../prompted.ts';

/** Signs that agents print before typed text, which do not include a shell's `$`, `#` and `%`. */
const LOOK: PromptLook = { sign: /^\s{0,2}(?:[❯>›»]|\( O\)>|>>>)(?: |$)/, confidence: 0.2 };

/** An agent without a description: lines after a prompt sign are the person's, later lines are the program's. States are unknown. */
export const generic: IExtractor = {
  name: 'generic',
  label: 'Agent',
  version: 2,
  isGeneric: true,
  recognise: () => 0,
  extract: ({ rows }) => ({
    messages: promptedMessages(rows, LOOK),
    state: 'unknown',
    evidence: null,
    isCovered: false,
  }),
};

/** Words with which they print and exit, or serve other programs. */
const SCREENLESS = [
  ...['-p', '--print', '-x', '--execute', 'run', 'exec', 'acp', 'mcp', 'login', 'logout', 'update'],
  ...['--version', '-V', '-v', '--help', '-h'],
];
/** Agents without an extractor: their commands are known, but not their screens. */
const PROGRAMS: readonly { name: string; label: string; packages?: readonly string[] }[] = [
  { name: 'amp', label: 'Amp', packages: ['@ampcode/cli', '@sourcegraph/amp'] },
  { name: 'auggie', label: 'Auggie', packages: ['@augmentcode/auggie'] },
  { name: 'codebuff', label: 'Codebuff', packages: ['codebuff'] },
  { name: 'crush', label: 'Crush', packages: ['@charmland/crush'] },
  { name: 'cursor-agent', label: 'Cursor CLI' },
  { name: 'droid', label: 'Droid' },
  { name: 'kiro-cli', label: 'Kiro CLI' },
  { name: 'openhands', label: 'OpenHands', packages: ['openhands'] },
];

/** They are read as the generic agent, under their own names. */
export const GENERIC_AGENTS: readonly IExtractor[] = PROGRAMS.map(({ name, label, packages = [] }) => ({
  ...generic,
  name,
  label: `${label} (generic)`,
  packages,
  isProgram: (argv) => startsProgram(argv, { commands: [name], packages, screenless: SCREENLESS }),
}));
