import type {
  AuditBreak,
  AuditDecision,
  AuditLine,
  AuditState,
  AuditVerdict,
} from '../../src-main/contract/mcp/audit.ts';
import { strings } from '../app/strings.ts';

/** Meaning of a decision for the person. `gone`: not decided, because the request was withdrawn or could not be carried out. */
export type AuditTone = 'rule' | 'you' | 'denied' | 'expired' | 'gone';

export interface DecisionWords {
  readonly text: string;
  readonly tone: AuditTone;
}

const TOOLS: Readonly<Record<string, string>> = strings.audit.tools;

/** A word for the tool; an unknown tool keeps its own name. */
export function auditToolWords(tool: string): string {
  return TOOLS[tool] ?? tool;
}

const { decided } = strings.audit;

const YOURS: Readonly<Record<string, string>> = {
  once: decided.youOnce,
  exact: decided.youExact,
  prefix: decided.youPrefix,
};

const REFUSALS: Readonly<Record<string, string>> = strings.audit.refusals;

/** The decision, and who made it. */
export function decisionWords({ decision, rule }: Pick<AuditLine, 'decision' | 'rule'>): DecisionWords {
  switch (decision) {
    case 'allowed':
      return { text: allowedWords(rule), tone: 'rule' };
    case 'approved':
      return { text: (rule !== null && YOURS[rule]) || decided.you, tone: 'you' };
    case 'denied':
      return { text: deniedWords(rule), tone: 'denied' };
    case 'expired':
      return { text: rule === 'APPROVAL_EXPIRED' ? decided.notAnswered : decided.notIdle, tone: 'expired' };
    case 'refused':
      return { text: refusalWords(rule), tone: 'gone' };
    case 'cancelled':
      return { text: cancelledWords(rule), tone: 'gone' };
  }
}

function allowedWords(rule: string | null): string {
  if (rule === 'input') return decided.inputAllowed;
  if (rule === 'observe') return decided.readAllowed;
  if (rule?.startsWith('host:')) return decided.sentTo(rule.slice('host:'.length));
  return rule === null ? decided.allowed : decided.byRule(rule);
}

/** Rules about typing whose names mean less to the person than "your policy". */
const OF_POLICY: ReadonlySet<string> = new Set(['DENIED_BY_POLICY', 'input', 'agent_dialogs', 'shell_prompt']);

function deniedWords(rule: string | null): string {
  if (rule === 'user' || rule === 'DENIED_BY_USER') return decided.deniedByYou;
  return rule === null || OF_POLICY.has(rule) ? decided.deniedByPolicy : decided.deniedBy(rule);
}

function cancelledWords(rule: string | null): string {
  if (rule === null) return decided.stoppedWaiting;
  return rule === 'DENIED_BY_USER' ? decided.cancelledByYou : refusalWords(rule);
}

function refusalWords(code: string | null): string {
  if (code === null) return decided.notDone;
  return REFUSALS[code] ?? `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}

/** Options of the filter by kind. */
export const KINDS = [
  { value: 'did', label: strings.audit.filters.did, areReads: false },
  { value: 'read', label: strings.audit.filters.read, areReads: true },
] as const;

export type KindChoice = (typeof KINDS)[number]['value'];

const choices = strings.audit.decisions;

/** Options of the filter by decision. */
export const DECISIONS = [
  { value: 'all', label: choices.all, title: choices.allTip, of: null },
  { value: 'rule', label: choices.rule, title: choices.ruleTip, of: ['allowed'] },
  { value: 'you', label: choices.you, title: choices.youTip, of: ['approved'] },
  { value: 'denied', label: choices.denied, title: choices.deniedTip, of: ['denied'] },
  { value: 'expired', label: choices.expired, title: choices.expiredTip, of: ['expired'] },
  { value: 'gone', label: choices.gone, title: choices.goneTip, of: ['refused', 'cancelled'] },
] as const satisfies readonly { value: string; label: string; title: string; of: readonly AuditDecision[] | null }[];

export type DecisionChoice = (typeof DECISIONS)[number]['value'];

/** `Log intact (214 entries)`, or how many integrity problems there are. */
export function chainWords({ ok, entries, breakCount }: AuditVerdict): string {
  const { broken, empty, intact } = strings.audit.chain;
  if (!ok) return broken(breakCount);
  return entries === 0 ? empty : intact(entries);
}

/** Which entries were removed by age, and up to which entry a cut-off end could not be detected. */
export function chainRemarks({ verdict: { first, trustedTo } }: AuditState): string[] {
  const { removed, unwatched } = strings.audit.chain;
  return [...(first > 1 ? [removed(first)] : []), ...(trustedTo > 0 ? [unwatched(trustedTo)] : [])];
}

const MEANINGS: Readonly<Record<AuditBreak['kind'], string>> = strings.audit.problems.meanings;

/** An integrity problem, and its meaning for the person. */
export function breakWords({ kind, reason }: AuditBreak): string {
  const [first = ''] = reason;
  return kind === 'changed' ? MEANINGS[kind] : `${first.toUpperCase()}${reason.slice(1)}. ${MEANINGS[kind]}`;
}
