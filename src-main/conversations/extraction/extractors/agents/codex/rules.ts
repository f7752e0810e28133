import type { ProgramWords } from '../../commandWords.ts';
import type { StateRule, TextRule } from '../../stateRules.ts';

/** `dialog`, `status`: their rows, if they are on the screen. `end`: the last rows, if no input box follows. */
export type Place = 'dialog' | 'status' | 'composer' | 'title' | 'end';

/** Ranked: the first match decides. A dialog beats a busy title. */
export const STATE_RULES: readonly StateRule<Place>[] = [
  {
    name: 'trust.dialog',
    state: 'needs_approval',
    versions: ['0.20.0', null],
    where: 'dialog',
    match: /You are (?:in|running Codex in) |Do you trust the contents/,
  },
  {
    name: 'approval.ask',
    state: 'needs_approval',
    versions: ['0.20.0', null],
    where: 'dialog',
    match:
      /Would you like to (?:run|make|grant|allow)|Do you want to approve|Allow Codex to|requests? (?:your )?approval/,
  },
  {
    name: 'approval.options',
    state: 'needs_approval',
    versions: ['0.20.0', null],
    where: 'dialog',
    match: /^[› ] \d\. No, and tell Codex what to do differently/,
  },
  { name: 'dialog', state: 'needs_input', versions: ['0.20.0', null], where: 'dialog', match: /\S/ },
  {
    name: 'title.action',
    state: 'needs_approval',
    versions: ['0.120.0', null],
    where: 'title',
    match: /^\[ [!.] \] Action Required/,
  },
  { name: 'status.row', state: 'working', versions: ['0.20.0', null], where: 'status', match: /\S/ },
  { name: 'title.spinner', state: 'working', versions: ['0.120.0', null], where: 'title', match: /^[⠁-⣿] / },
  { name: 'composer', state: 'idle', versions: ['0.20.0', null], where: 'composer', match: /^[›▌!]/ },
  {
    name: 'exit.resume',
    state: 'exited',
    versions: ['0.20.0', null],
    where: 'end',
    match: /^\s*(?:To continue this session, run )?codex resume \S/,
  },
];

/** A plain title (the project) proves nothing: people may remove the spinner from it. */
export const TITLE_RULES: readonly TextRule[] = [
  { name: 'title.action', state: 'needs_approval', match: /^\[ [!.] \] Action Required/ },
  { name: 'title.spinner', state: 'working', match: /^[⠁-⣿] / },
];

/** For OSC 9, and for OSC 7501, the channel for states. Any other OSC 9 text is the beginning of a finished answer. */
export const NOTIFICATION_RULES: readonly TextRule[] = [
  { name: 'status.permission', state: 'needs_approval', match: /^(?:7501;)?state=blocked:.*kind=permission/ },
  { name: 'status.blocked', state: 'needs_input', match: /^(?:7501;)?state=blocked/ },
  { name: 'status.working', state: 'working', match: /^(?:7501;)?state=working/ },
  { name: 'status.idle', state: 'idle', match: /^(?:7501;)?state=(?:idle|done)/ },
  { name: 'notify.approval', state: 'needs_approval', match: /^(?:Approval requested|Codex wants to )/ },
  { name: 'notify.question', state: 'needs_input', match: /^(?:Question requested|Plan mode prompt|Question)\b.*:/ },
  { name: 'notify.answer', state: 'idle', match: /^(?!(?:7501;)?state=|4;)\S/ },
];

/** Its npm package starts a native program of the same name. The daemon it leaves behind is `codex app-server`. */
export const PROGRAM: ProgramWords = {
  commands: ['codex'],
  packages: ['@openai/codex'],
  screenless: [
    'exec',
    'e',
    'app-server',
    'exec-server',
    'mcp',
    'mcp-server',
    'login',
    'logout',
    'completion',
    'apply',
    'a',
    'review',
    'sandbox',
    'debug',
    'features',
    'update',
    '--version',
    '-V',
    '--help',
    '-h',
  ],
};

export const WELCOME = /(?:^|[│ ])>_ (?:You are using )?OpenAI Codex\b/;
/** Begins the exit lines. */
export const EXIT = /^(?:Disconnected from this task|Token usage: |To continue this session, run |To reconnect, run:)/;
export const RESUME = /\bcodex resume ([0-9a-f]{8}-[0-9a-f-]{27}|\S+)/;
/** `• Working (1m 05s • esc to interrupt)`; the words before the bracket may be the thought's, and the row is cut at the window's edge. */
export const STATUS = /^(?:▌ )?[•◦] .*\((?:\d+[hms] ?)+(?: • (?:.*to interrupt\)|[^)]*…$)|…$)/;
export const OVERLAY = /^\/ (?:[A-Z] ){4,}.*\/ \/ \//;
/** The last line of a dialog or of a list of choices. */
export const DIALOG_HINT =
  /^\s{0,3}(?:[Pp]ress )?enter to (?:confirm|continue|submit|select)|^ {2}Press Enter to continue|^ {2}.*\besc to (?:cancel|go back|close)/;
export const OPTION = /^[›> ] \d+\. \S/;
/** A command, file, skill or the like, as in the menus above the input box. */
export const MENU_ROW = /^[› ] (?:[/@$][\w./:-]+\s{2,}\S|\S.*?\s\[[A-Z][a-z]+\] )/;
/** Begins a menu that has pages. */
export const MENU_TITLE = /^ {2}Mentions\s*$/;
/** Keys of a menu, in its last row. */
export const MENU_HINT = /^ {2}enter(?:\/tab)? insert\b.*\besc close\b/;
/** Begins the list of queued prompts, above the input box. */
export const QUEUE = /^• (?:Messages to be submitted after|Queued follow-up)/;
/** Texts of the empty input box, for screens without styles. */
export const PLACEHOLDER = /^(?:Ask Codex to do anything|Summarize recent commits|Find and fix a bug in @filename)$/;
/** The line between two turns, which is not part of a message. */
export const TURN_END = /^(?: {2}|─ )Worked for |^─{8,}/;
/** Notes about itself, drawn with the glyph of an answer. */
export const INFO =
  /^• (?:Context compacted|Model changed to|Permissions updated|You ran |Model interrupted to submit|Goal )/;
export const DECISION = /^[✔✗] You /;
/** Ends the long form of a call and shows its outcome. */
export const VERDICT = /^([✓✔✗])(?: \((\d+)\))? • \S/;
