import type { FrameRow } from '../../../../../contract/screen/frame.ts';
import type { StateRule } from '../../stateRules.ts';

/** Ranked: the first match decides. `below` is the part under the conversation, `end` the last rows of all. */
export const STATE_RULES: readonly StateRule<'below' | 'end'>[] = [
  {
    name: 'permission.ask',
    state: 'needs_approval',
    versions: ['1.0.0', null],
    where: 'below',
    match: /^ *┃\s+△ /,
  },
  { name: 'question', state: 'needs_input', versions: ['1.1.0', null], where: 'below', match: /^ *┃.*\besc dismiss/ },
  {
    name: 'footer.interrupt',
    state: 'working',
    versions: ['0.6.0', null],
    where: 'below',
    match: /\besc (interrupt|again to interrupt)/,
  },
  {
    // In a narrow window, the action of Esc is some rows below its name; the bar before it is shown while it works.
    name: 'footer.progress',
    state: 'working',
    versions: ['1.18.0', null],
    where: 'below',
    match: /^ *[■⬝]{4,}\s+esc\b/,
  },
  { name: 'input.box', state: 'idle', versions: ['1.0.0', null], where: 'below', match: /^ *╹▀{8}/ },
  {
    name: 'exit.resume',
    state: 'exited',
    versions: ['1.0.0', null],
    where: 'end',
    match: /^ *Continue\s+opencode -s /,
  },
];

export const EXIT_ID = /^ *Continue\s+opencode -s (ses_\w+)/;
/** A row of its drawn name: the second row before and since 1.18, and a row of 1.14, which draws shades. */
export const LOGO = /█▀▀█ █▀▀█ █▀▀[█ ]? ?█▀▀▄ █▀▀|▀▀▀▀ ▀▀▀▀ ▀▀▀▀ ▀▀▀▄ ▀▀▀▀/;
/** Up to 1.1, a box at the top names the session, with its cost and the version at the right. */
export const HEADER = /^ {2}┃ {2}# .*\s{2}(?:\S.*)?(?:\(\$[\d.]+\)|v\d+\.\d+\.\d+)\s*$/;
export const TITLE = /^(OpenCode$|OC \| )/;
/** Text of the empty input box. */
export const PLACEHOLDER = /^(Ask anything|Run a command)(…|\.\.\.)/;
/** The first row of a view over the conversation: its title, and at the right the keys that close it. */
const OVERLAY = /^\s{2,}\S.*\s{8,}esc(\/\w+)?\s*$/;

/** An answer may look the same, so the title must also be bold and have another background than the text beside it. */
export function isOverlayTop({ text, spans }: FrameRow): boolean {
  if (!text.includes('esc')) return false; // most rows fail this cheap check
  if (spans.length === 1) return OVERLAY.test(text);
  const keys = spans.findIndex((span) => /^esc(\/\w+)?$/.test(span.text.trim()));
  const ground = spans[keys]?.bg;
  const title = spans.slice(0, Math.max(0, keys)).find((span) => span.text.trim() !== '' && span.bg === ground);
  if (title?.bold !== true) return false;
  return OVERLAY.test(text) || (ground !== undefined && spans.some(({ bg }) => bg !== undefined && bg !== ground));
}
