import type {
  AuditBreak,
  AuditDecision,
  AuditLine,
  AuditState,
  AuditVerdict,
} from '../../src-main/contract/mcp/audit.ts';
import { formatCount } from '../app/formatWords.ts';

/** What a decision means to the person. `gone`: nothing was decided; it was not wanted any more, or could not be done. */
export type AuditTone = 'rule' | 'you' | 'denied' | 'expired' | 'gone';

export interface DecisionWords {
  readonly text: string;
  readonly tone: AuditTone;
}

const TOOLS: Readonly<Record<string, string>> = {
  pty_exec: 'Command',
  pty_send: 'Keys',
  pty_control: 'Control',
  pty_resize: 'Size',
  pty_interrupt: 'Interrupt',
  pty_list: 'List',
  pty_whoami: 'Rights',
  pty_status: 'State',
  pty_snapshot: 'Screen',
  pty_snapshot_wait: 'Wait',
  pty_screen_deltas: 'Changes',
  pty_stream_since: 'Output',
  pty_read_raw: 'Bytes',
  pty_notify: 'Watch',
  blocks_since: 'List',
  blocks_get: 'Card',
  blocks_read: 'Output',
  blocks_search: 'Search',
  chats_list: 'List',
  chats_read: 'Chat',
  chats_export: 'Export',
  'resources/list': 'List',
  'resources/read': 'Resource',
  'resources/subscribe': 'Watch',
  'subscriptions/listen': 'Watch',
  'prompts/get': 'Prompt',
  'tasks/get': 'Watch',
  'tasks/cancel': 'Watch',
  'tasks/update': 'Watch',
  channel: 'Message',
};

/** One word for what was asked for; a tool that this window does not know keeps its own name. */
export function auditToolWords(tool: string): string {
  return TOOLS[tool] ?? tool;
}

const YOURS: Readonly<Record<string, string>> = {
  once: 'you, once',
  exact: 'you, this command here',
  prefix: 'you, whatever begins so',
};

const REFUSALS: Readonly<Record<string, string>> = {
  ALT_SCREEN: 'a full-screen program was there',
  BAD_INPUT: 'not understood',
  BAD_REGEX: 'no usable expression',
  BLOCK_NOT_FOUND: 'no such command',
  BUSY: 'the terminal was busy',
  CWD_MISMATCH: 'the shell was in another folder',
  failed: 'an error in Hansard',
  failed_to_start: 'the shell did not take it',
  NO_SHELL_INTEGRATION: 'no shell integration',
  NOT_ALLOWED_SCOPE: 'it has no right to',
  PTY_GONE: 'the terminal had ended',
  PTY_NOT_FOUND: 'none that it may see',
  RATE_LIMITED: 'too many at once',
  REGEX_TIMEOUT: 'the expression took too long',
  SELF_PTY: 'its own terminal',
  SEQ_MISMATCH: 'the screen had changed',
  TOO_LARGE: 'too long',
  USER_TYPING: 'you were typing',
};

/** How it was decided, and by whom. */
export function decisionWords({ decision, rule }: Pick<AuditLine, 'decision' | 'rule'>): DecisionWords {
  switch (decision) {
    case 'allowed':
      return { text: allowedWords(rule), tone: 'rule' };
    case 'approved':
      return { text: (rule !== null && YOURS[rule]) || 'you', tone: 'you' };
    case 'denied':
      return { text: deniedWords(rule), tone: 'denied' };
    case 'expired':
      return { text: rule === 'APPROVAL_EXPIRED' ? 'not answered in time' : 'not idle in time', tone: 'expired' };
    case 'refused':
      return { text: refusalWords(rule), tone: 'gone' };
    case 'cancelled':
      return { text: cancelledWords(rule), tone: 'gone' };
  }
}

function allowedWords(rule: string | null): string {
  if (rule === 'input') return 'typing is allowed';
  if (rule === 'observe') return 'looking is allowed';
  return rule === null ? 'allowed' : `rule ${rule}`;
}

/** About typing: names that would say less to the person than that it was their policy. */
const OF_POLICY: ReadonlySet<string> = new Set(['DENIED_BY_POLICY', 'input', 'agent_dialogs', 'shell_prompt']);

function deniedWords(rule: string | null): string {
  if (rule === 'user' || rule === 'DENIED_BY_USER') return 'denied by you';
  return rule === null || OF_POLICY.has(rule) ? 'denied by your policy' : `denied by ${rule}`;
}

function cancelledWords(rule: string | null): string {
  if (rule === null) return 'it did not wait';
  return rule === 'DENIED_BY_USER' ? 'you took it out' : refusalWords(rule);
}

function refusalWords(code: string | null): string {
  return code === null ? 'not done' : (REFUSALS[code] ?? code.toLowerCase().replaceAll('_', ' '));
}

/** The choices of the filter by what it was. */
export const KINDS = [
  { value: 'did', label: 'What they did', areReads: false },
  { value: 'read', label: 'What they read', areReads: true },
] as const;

export type KindChoice = (typeof KINDS)[number]['value'];

/** The choices of the filter by decision. */
export const DECISIONS = [
  { value: 'all', label: 'All', title: 'However it was decided', of: null },
  { value: 'rule', label: 'By rule', title: 'Allowed by a rule of your policy', of: ['allowed'] },
  { value: 'you', label: 'By you', title: 'Allowed by you', of: ['approved'] },
  { value: 'denied', label: 'Denied', title: 'By you or by your policy', of: ['denied'] },
  { value: 'expired', label: 'Expired', title: 'Not answered, or not idle, in time', of: ['expired'] },
  {
    value: 'gone',
    label: 'Not done',
    title: 'Refused for another reason, or taken back',
    of: ['refused', 'cancelled'],
  },
] as const satisfies readonly { value: string; label: string; title: string; of: readonly AuditDecision[] | null }[];

export type DecisionChoice = (typeof DECISIONS)[number]['value'];

/** `Whole: 214 entries, each as it was written`, or at how many places it is not. */
export function chainWords({ ok, entries, breakCount }: AuditVerdict): string {
  if (!ok)
    return breakCount === 1 ? 'Not as it was written' : `Not as it was written, in ${formatCount(breakCount)} places`;
  if (entries === 0) return 'Nothing in it yet';
  return `Whole: ${entries === 1 ? '1 entry' : `${formatCount(entries)} entries`}, each as it was written`;
}

/** What is said beside it: what is not there because it is old, and from where on the end was watched. */
export function chainRemarks({ verdict: { first, trustedTo } }: AuditState): string[] {
  return [
    ...(first > 1 ? [`Entries before ${formatCount(first)} were removed, being old.`] : []),
    ...(trustedTo > 0
      ? [`Up to entry ${formatCount(trustedTo)} nothing had vouched for the end: it was taken as it was found.`]
      : []),
  ];
}

const MEANINGS: Readonly<Record<AuditBreak['kind'], string>> = {
  changed: 'Somebody changed this entry after it was written. What it says now cannot be believed.',
  missing: 'These entries were taken out. What they said is not known.',
  order: 'An entry was put in, moved or replaced after it was written.',
  unreadable: 'What stands there is no entry any more.',
  'missing-end': 'The newest entries were cut off. What they said is not known.',
  'added-end': 'Entries were added by somebody else, or an older copy of the head was put back.',
  head: 'Without it nobody can tell whether the newest entries are all there.',
};

/** What is wrong there, and what it means to the person. */
export function breakWords({ kind, reason }: AuditBreak): string {
  const [first = ''] = reason;
  return kind === 'changed' ? MEANINGS[kind] : `${first.toUpperCase()}${reason.slice(1)}. ${MEANINGS[kind]}`;
}
