import type { ChatKind } from '../../../../contract/chat/chat.ts';
import type { ChatSnapshot, Extraction, IExtractor, RowRange } from '../../../../contract/chat/extractor.ts';
import { startsProgram } from '../commandWords.ts';
import { lastLines, stateByRules, stateOfText } from '../stateRules.ts';
import { uncut } from '../uncut.ts';
import { permissionOf } from './codex/dialog.ts';
import { messagesOf } from './codex/messages.ts';
import { heldRow, piecesOf } from './codex/pieces.ts';
import { planOf } from './codex/plan.ts';
import { type Region, regionOf } from './codex/region.ts';
import { NOTIFICATION_RULES, PROGRAM, RESUME, STATE_RULES, TITLE_RULES, WELCOME } from './codex/rules.ts';

/** Last rows that may have exit lines. */
const TAIL_ROWS = 8;
const GROWING: ReadonlySet<ChatKind> = new Set(['model', 'toolCall', 'toolResult']);

/** Codex CLI's screens, 0.20 to 0.169: in the alternate screen and inline. */
export const codex: IExtractor = {
  name: 'codex',
  label: 'Codex',
  provider: 'openai',
  version: 1,
  modelFlag: '--model',
  checked: ['0.169.0'],
  packages: PROGRAM.packages,
  // It draws its whole last turn in half of this time after a resize (recorded with 0.169.0), and in all of it on a busy machine.
  sweepMs: 600,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  stateOfTitle: (title) => stateOfText(TITLE_RULES, title),
  stateOfNotification: (text) => stateOfText(NOTIFICATION_RULES, text),
  body,
  recognise,
  extract,
};

/** While an answer scrolls below it, the first row holds the prompt. */
function body(screen: ChatSnapshot): RowRange {
  return { from: heldRow(screen) === null ? 0 : 1, to: screen.rows.length - screen.screenTop };
}

function recognise({ rows, title }: ChatSnapshot): number {
  if (rows.some((row) => WELCOME.test(row.text))) return 1;
  if (rows.some((row) => /^(?:[›▌] )?\s*Ask Codex to do anything\s*$/.test(row.text))) return 0.9;
  if (rows.some((row) => /tell Codex what to do differently|^ {2}.*Codex in \//.test(row.text))) return 0.9;
  return /^\[ [!.] \] Action Required \| /.test(title) ? 0.6 : 0;
}

function extract(snapshot: ChatSnapshot): Extraction {
  const region = regionOf(snapshot);
  const { state, evidence } = stateOf(snapshot, region);
  const isTrust = evidence?.rule === 'trust.dialog';
  const isStreaming = state === 'working' && region.statusRow === null;
  const pieces = isTrust ? [] : piecesOf(snapshot, region.end);
  const shown = messagesOf(snapshot, pieces, isStreaming);
  const plan = planOf(snapshot, pieces);
  const messages = region.isMenuOpen ? uncut(shown) : shown;
  const last = messages.at(-1);
  if (last && state === 'working' && GROWING.has(last.kind)) messages[messages.length - 1] = { ...last, isOpen: true };
  if (region.below === 'dialog' && state === 'needs_approval') messages.push(permissionOf(snapshot, region.end));
  const exit = messages.findLast(({ kind }) => kind === 'exit');
  const resumeId = RESUME.exec(exit?.text ?? '')?.[1];
  // The alternate screen always ends in one of them. Without any, it is being redrawn, and half of it is older.
  const isTorn = snapshot.altScreen && region.below === 'nothing' && state === 'unknown';
  return {
    messages,
    state,
    evidence,
    isCovered: region.below === 'dialog' || region.below === 'overlay' || region.isMenuOpen || isTorn,
    ...(region.draft === undefined ? {} : { draft: region.draft, isShell: region.isShell === true }),
    ...(resumeId === undefined ? {} : { resumeId }),
    ...(plan && { plan }),
  };
}

function stateOf({ rows, title }: ChatSnapshot, region: Region): Pick<Extraction, 'state' | 'evidence'> {
  const texts = rows.map((row) => row.text);
  const { end, below, statusRow } = region;
  const at = (is: boolean, from: number) => (is ? texts.slice(from) : []);
  return stateByRules(STATE_RULES, {
    dialog: at(below === 'dialog', end),
    status: statusRow === null ? [] : [texts[statusRow] ?? ''],
    composer: at(below === 'composer', end),
    title: [title],
    end: below === 'nothing' ? lastLines(texts, TAIL_ROWS) : [],
  });
}
