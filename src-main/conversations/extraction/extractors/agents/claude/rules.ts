import type { StateRule } from '../../stateRules.ts';

/** The part that a rule checks: rows below the transcript, its last rows, the title, or the last rows of all. */
export type Place = 'below' | 'tail' | 'title' | 'end';

/** Ranked: the first match decides. A dialog beats a busy title. */
export const STATE_RULES: readonly StateRule<Place>[] = [
  {
    name: 'exit.resume',
    state: 'exited',
    versions: ['2.0.0', null],
    where: 'end',
    match: /^claude .*--resume [0-9a-f-]{36}/,
  },
  {
    name: 'trust.dialog',
    state: 'needs_approval',
    versions: ['2.0.0', null],
    where: 'below',
    match: /trust this folder|Yes, proceed/,
  },
  {
    name: 'permission.ask',
    state: 'needs_approval',
    versions: ['1.0.0', null],
    where: 'below',
    match: /^[│\s]*(Do you want to|Would you like to proceed)/,
  },
  {
    name: 'permission.reader',
    state: 'needs_approval',
    versions: ['2.1.208', null],
    where: 'tail',
    match: /^Select with numbers \[1-\d\]/,
  },
  {
    name: 'auto.gate',
    state: 'needs_approval',
    versions: ['2.1.300', null],
    where: 'below',
    match: /Enter to stay in auto mode/,
  },
  { name: 'question', state: 'needs_input', versions: ['2.0.0', null], where: 'below', match: /Enter to select · / },
  {
    name: 'dialog',
    state: 'needs_input',
    versions: ['2.0.0', null],
    where: 'below',
    match: /Enter to confirm|Esc to (cancel|exit|close)/,
  },
  { name: 'footer.interrupt', state: 'working', versions: ['1.0.0', null], where: 'below', match: /esc to interrupt/i },
  { name: 'spinner', state: 'working', versions: ['1.0.0', null], where: 'tail', match: /^[✢✳✶✻✽·*] \S.*… ?\(/ },
  { name: 'title.busy', state: 'working', versions: ['2.1.0', null], where: 'title', match: /^[◐◑⠂⠐] / },
  { name: 'input.box', state: 'idle', versions: ['1.0.0', null], where: 'below', match: /^(│ )?[❯>!]([ \u00a0]|$)/ },
];

/** Begins the exit lines. */
export const EXIT = /^Resume this session with:/;
export const WELCOME = /Claude Code v\d+\.\d+\.\d+|Welcome to Claude Code/;
export const OVERLAY = /Showing detailed transcript/;
/** A dialog's last line. */
export const DIALOG_HINT = /Enter to (confirm|select|stay)|Esc to (cancel|exit|close)|Do you want to|trust this folder/;
export const SPINNER = /^[✢✳✶✻✽·*] \S.*(… ?(\(|$)| for (\d+[hms] ?)+( · |$))/;
/** Lines of the program about itself, which are not part of a message. */
export const THOUGHT = /^\s*(∴ Thinking|Thought for \d)/;
/** A note about its modes, drawn with the glyph of an answer. */
export const MODE_NOTICE = /^[●⏺] (?:Entered|Exited) plan mode\s*$/;
/** A tool that the fullscreen mode shows in one line, without a glyph. */
export const FOLDED_TOOL =
  /^ {2}(Read|Ran|Searched|Listed|Wrote|Edited|Fetched|Called|Did not run|No result recorded|Reading|Running|Searching)\b.* \d+ |^ {2}(Read|Ran|Did not run|No result recorded for) \d+ /;
/** Its effort level, above the right end of the input box. */
export const EFFORT = /^\s{16,}\S.* · \/effort\s*$/;
/** A row below a call, a prompt or nothing, which is not a result. */
export const ASIDE = /^ {2}[⎿└]\s+(?:Tip: |Queued · |(?:Waiting|Running)…\s*$)/;
/** The command of a call in words, below it. */
export const INPUT = /^ {2}[⎿└]\s+\$ /;
/** Ends a line of folded calls, in another colour, if calls failed. Without it, the line shows no outcome. */
export const FOLDED_FAILED = /^ {2}(?:Called \S.*?|[A-Z][a-z]+(?: for)?) (\d+) [^·,]* · (\d+) failed\s*$/;
/** Calls of one server's tools, which are shown as one call, whichever they are; capture 1 is the server. */
export const FOLDED_SERVER = /^(?:Calling|Called) (\S[^,·…]*?)(?: \d+ times)?(?:…| · \d+ failed)?$/;
export const EXPAND_HINT = /\s*\((ctrl\+[or] to (expand|see.*)|shift\+tab.*)\)\s*$/;
