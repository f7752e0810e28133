import type { ProgramWords } from '../../commandWords.ts';
import type { TextRule } from '../../stateRules.ts';

/** The idle sign ✳ is also shown while a dialog waits, so it proves nothing. ⠂ and ⠐ are used up to about 2.1.225. */
export const TITLE_RULES: readonly TextRule[] = [{ name: 'title.busy', state: 'working', match: /^[◐◑⠂⠐] / }];

/** For OSC 9, 99 and 777, if the person has turned them on. */
export const NOTIFICATION_RULES: readonly TextRule[] = [
  { name: 'notify.permission', state: 'needs_approval', match: /needs your (?:permission|approval)/i },
  { name: 'notify.attention', state: 'needs_input', match: /needs your attention/i },
  { name: 'notify.waiting', state: 'idle', match: /waiting for your input/i },
];

export const PROGRAM: ProgramWords = {
  commands: ['claude'],
  packages: ['@anthropic-ai/claude-code'],
  screenless: [
    '-p',
    '--print',
    'mcp',
    'config',
    'plugin',
    'update',
    'doctor',
    'install',
    'setup-token',
    'migrate-installer',
    'auth',
    '--version',
    '-v',
    '--help',
    '-h',
  ],
};

export const RESUME = /--resume ([0-9a-f]{8}-[0-9a-f-]{27})/;
