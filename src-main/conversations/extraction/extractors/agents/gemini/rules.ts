import type { ProgramWords } from '../../commandWords.ts';
import type { StateRule, TextRule } from '../../stateRules.ts';

/** `dialog`, `status`: their rows, if they are on the screen. `end`: the last rows, if no input box follows. */
export type Place = 'dialog' | 'status' | 'input' | 'title' | 'end';

/** Ranked: the first match decides. A dialog beats a busy title. */
export const STATE_RULES: readonly StateRule<Place>[] = [
  {
    name: 'trust.dialog',
    state: 'needs_approval',
    versions: ['0.4.0', null],
    where: 'dialog',
    match: /Do you trust (?:the files in )?this folder/,
  },
  {
    name: 'approval.ask',
    state: 'needs_approval',
    versions: ['0.1.0', null],
    where: 'dialog',
    match:
      /Allow execution of|Apply this change\?|Do you want to proceed\?|Ready to start implementation\?|[Aa]llow once/,
  },
  { name: 'question', state: 'needs_input', versions: ['0.20.0', null], where: 'dialog', match: /Answer Questions|\S/ },
  { name: 'title.action', state: 'needs_approval', versions: ['0.20.0', null], where: 'title', match: /^✋/ },
  { name: 'status.row', state: 'working', versions: ['0.1.0', null], where: 'status', match: /\S/ },
  { name: 'title.working', state: 'working', versions: ['0.20.0', null], where: 'title', match: /^[✦⏲]/ },
  { name: 'input.box', state: 'idle', versions: ['0.1.0', null], where: 'input', match: /^(?:│ ?)? ?[>!*$](?: |$)/ },
  {
    name: 'exit.box',
    state: 'exited',
    versions: ['0.1.0', null],
    where: 'end',
    match: /Agent powering down|To resume this session: |To continue this session, run /,
  },
];

export const TITLE_RULES: readonly TextRule[] = [
  { name: 'title.action', state: 'needs_approval', match: /^✋/ },
  { name: 'title.working', state: 'working', match: /^[✦⏲]/ },
  { name: 'title.ready', state: 'idle', match: /^◇ +Ready/ },
];

/** For OSC 9, if notifications are turned on. */
export const NOTIFICATION_RULES: readonly TextRule[] = [
  { name: 'notify.approval', state: 'needs_approval', match: /needs your attention \| Approval required/ },
  { name: 'notify.attention', state: 'needs_input', match: /needs your attention/ },
  { name: 'notify.finished', state: 'idle', match: /session complete \| Run finished/ },
];

export const PROGRAM: ProgramWords = {
  commands: ['gemini', 'gemini-cli'],
  packages: ['@google/gemini-cli'],
  screenless: [
    '-p',
    '--prompt',
    'mcp',
    'extensions',
    'extension',
    'skills',
    'hooks',
    '--version',
    '-v',
    '--help',
    '-h',
  ],
};

export const WELCOME = /(?:^|\s)(?:Gemini CLI|>_ Qwen Code|Qwen Code) \(?v\d+\.\d+|^Tips for getting started:/;
export const RESUME = /--resume ([0-9a-f]{8}-[0-9a-f-]{27})/;
/** Lines of the goodbye box. */
export const EXIT = /Agent powering down|To resume this session: |To continue this session, run /;
/** ` ⠸ Thinking... (esc to cancel, 0s)` */
export const STATUS = /^ {0,2}[⠁-⣿] .*(?:\(esc to cancel|\.\.\.)/;
/** Heading of the prompts that were typed while it was busy. They become messages once they are sent. */
export const QUEUE = /^ {2}Queued \(press ↑ to edit\):/;
export const OPTION = /^(?:│ ?)?\s{0,2}[●›]?\s*\d+\.\s+\S/;
/** Texts of the empty input box. */
export const PLACEHOLDER = /^(?:Type your (?:message|shell command)|Use '\/|Press 'i' for)/;
/** Glyphs before a tool that show its status. */
export const TOOL_GLYPH = /^([✓✔✕✖xo⊷⊶?-]|[⠁-⣿]) {1,2}(?=\S)/;
/** A call without a box, as qwen-code draws it since 0.21: its glyph is in the column of an answer's, one blank before its name. */
export const BARE_CALL = /^[✓✔✕✖x⊷⊶?-] \S/;
export const WAITING = /^ {0,2}[⠁-⣿] Waiting for user confirmation/;
export const MODEL = /^ {0,2}✦ /;
/** Notes of the program, glyph first. */
export const NOTICE = /^ ?(?:ℹ️?|✕|⚠|★|💡) ?\s*\S/u;
/** Placeholder for code that is still streaming. */
export const PENDING = /^\s*\.\.\. (?:generating more|code is being written) \.\.\.$/;
