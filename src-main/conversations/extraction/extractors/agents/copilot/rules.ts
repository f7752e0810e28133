import type { StateRule } from '../../stateRules.ts';

/** Ranked: the first match decides. `dialog` and `below` are the rows under the conversation, `end` the last rows of all. */
export const STATE_RULES: readonly StateRule<'dialog' | 'below' | 'end'>[] = [
  {
    name: 'exit.resume',
    state: 'exited',
    versions: ['1.0.0', null],
    where: 'end',
    match: /^\W*Resume\s+copilot --resume=/,
  },
  {
    name: 'trust.dialog',
    state: 'needs_approval',
    versions: ['0.0.300', null],
    where: 'dialog',
    match: /Do you trust /,
  },
  {
    name: 'permission.ask',
    state: 'needs_approval',
    versions: ['0.0.300', null],
    where: 'dialog',
    match: /Do you want to /,
  },
  {
    name: 'dialog',
    state: 'needs_input',
    versions: ['0.0.300', null],
    where: 'dialog',
    match: /\b(enter|esc) to (select|confirm|submit|cancel)/i,
  },
  {
    name: 'footer.loading',
    state: 'starting',
    versions: ['1.0.0', null],
    where: 'below',
    match: /^ ?[●◉◎○] Loading\b/,
  },
  { name: 'footer.busy', state: 'working', versions: ['1.0.0', null], where: 'below', match: /^ ?[●◉◎○∙] [A-Z]\w+/ },
  {
    name: 'esc.interrupt',
    state: 'working',
    versions: ['0.0.300', null],
    where: 'below',
    match: /\besc (esc )?(interrupt|to (cancel|stop))/i,
  },
  { name: 'input.box', state: 'idle', versions: ['0.0.300', null], where: 'below', match: /^( │ >|[❯!>┃])( |$)/ },
];

export const RESUME = /\bResume\s+copilot\b/;
export const EXIT_ID = /Resume\s+copilot --resume=([0-9a-f-]{36})/;
/** A row of the exit lines, without the logo. */
export const EXIT_ROW = /^\W*(?<told>(?:Changes|Duration|Tokens|Requests|Resume)\s+\S.*?)\s*$/;
export const WELCOME = /Copilot v\d+\.\d+\.\d+|Welcome to GitHub Copilot CLI/;
/** The row of tabs since 1.0.102, and the earlier one. */
export const TABS = /^ {1,2}(?:\[?Current\]?\s+\[?Sessions\]?\s|Session\s+Issues\s+Pull requests\s)/;
/** The status row up to 1.0.24. */
export const BUSY = /^[●◉◎○∙] \S.*\([Ee]sc to cancel\b/;
export const TITLE = /(^| - )GitHub Copilot$/;
/** Notes about itself, drawn with the sign of an answer. */
export const NOTICE =
  /^(No copilot-instructions\.md found|(?:💡 )?No copilot instructions found|Environment loaded: |MCP Servers? |Operation cancelled by user|Started a fresh session|Logged in with |Connected to |Conversation compacted|Compact(ing|ed) |Compaction (started|completed|failed|cancelled)|Session (renamed|resumed)|Model (changed|switched))/;
/** The first words after `/clear`. */
export const CLEARED = /^Started a fresh session\b/;
/** How long it thought, after the sign of rows that can be expanded. */
export const THOUGHT = /^ ❯ (?:Thought for \d|Thinking(?:…|\.{3}))/;
/** Advice, which is not part of a message. */
export const TIP = /^Tip: /;
