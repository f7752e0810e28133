import type { SubmitVerdict } from '../../src-main/contract/api.ts';
import { OUTCOME_UNKNOWN } from '../../src-main/shared/machineIds.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { codeOf, isOfTheLine } from '../rpc/codeOf.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { findWalk, foldKeys, type Piece } from './foldKeys.ts';
import { giveBack } from './returnedLine.ts';
import { isForProgram, usesComposer } from './routeKeys.svelte.ts';
import type { AheadOwners } from './TypedAhead.svelte.ts';
import { isNowhere } from './takeTyping.ts';

type Reason = Exclude<Extract<SubmitVerdict, { ok: false }>['reason'], 'confirm'>;

const REFUSALS: Readonly<Record<Reason, string>> = strings.composer.refusals;

/**
 * Sends the draft: to the shell as one command, or to its program as a paste and Return. The draft is cleared at once, and restored if it was
 * refused. From then on keys are held until the program can have them or the prompt is back.
 * `typed`: keys typed after Return. Never rejects.
 */
export async function submitDraft(app: AppState, terminal: TerminalState, typed: readonly Piece[] = []): Promise<void> {
  const { id, draft, draftedFor } = terminal;
  const isCommand = draft !== '' && draftedFor === null;
  terminal.draft = '';
  app.focus.follow(id);
  if (isCommand) {
    terminal.ahead.begin(ownersOf(app, terminal), terminal.view, typed);
    if (app.terminals.activeId === id) app.focus.toSurface(id);
  } else typeInto(app, terminal, typed);
  const refusal = await send(app, { id, text: draft, running: draftedFor }).catch((error: unknown) => {
    const isUnsure = isOfTheLine(error) || codeOf(error) === OUTCOME_UNKNOWN;
    if (isUnsure) app.notices.fail(strings.composer.sendUnsure);
    else app.notices.fail(strings.composer.sendFailed, error);
    return 'failed' as const;
  });
  if (refusal === null) {
    if (isCommand) terminal.ahead.accepted(terminal.view.quality.level === 'none');
    return;
  }
  const ahead = linesOf(terminal.ahead.end());
  if (refusal === 'failed') return giveBack(app, terminal, draft, ahead);
  if (refusal !== 'declined') app.notices.fail(REFUSALS[refusal]);
  if (refusal === 'busy') giveBack(app, terminal, draft, ahead);
  else {
    terminal.draft = [draft, terminal.draft, ...ahead].filter(Boolean).join('\n');
    app.focus.toComposer(id);
  }
  terminal.seenRunning();
}

/** Applies keys that were typed before this tab was shown, as if typed in it. */
export async function typeIntoShown(app: AppState, pieces: readonly Piece[]): Promise<void> {
  const terminal = app.terminals.active;
  if (terminal?.view.state !== 'live') return;
  if (!isForProgram(app, terminal)) return typeInto(app, terminal, pieces);
  for (const piece of pieces) {
    if (terminal.ahead.take(piece)) continue;
    if (!(await give(app, terminal.id, piece))) return;
  }
}

/** False if the keys were refused: by a closed terminal, whose tab shows it, or for a lost connection, of which there is a notice. */
async function give(app: AppState, id: string, { text, isPaste }: Piece): Promise<boolean> {
  try {
    await (isPaste ? app.paste.into(id, text) : app.rpc.terminal.write({ id, data: text }));
    return true;
  } catch {
    return false;
  }
}

function ownersOf(app: AppState, terminal: TerminalState): AheadOwners {
  const { id } = terminal;
  return {
    settled: () => {
      if (terminal.draft !== '') return;
      terminal.keysTo = 'program';
      terminal.isSettled = true; // also in a background tab: the end of the command gives the keys back
    },
    hasKeys: () => app.focus.isInSurface(id) && usesComposer(app, terminal),
    program: (piece) => give(app, id, piece),
    standsInLine: (text) => app.focus.standsInLine(id, text),
    composer: (pieces) => {
      leaveSurface(app, id);
      typeInto(app, terminal, pieces);
    },
    before: (text) => {
      terminal.draft = text + terminal.draft;
    },
    nobody: (pieces) => {
      leaveSurface(app, id);
      const lines = linesOf(pieces).filter(Boolean);
      if (lines.length > 0) terminal.held = [...terminal.held, ...lines];
    },
  };
}

/** At once, because the next key must not go to the shell's own prompt. */
function leaveSurface(app: AppState, id: string): void {
  if (app.focus.isInSurface(id) || isNowhere(document.activeElement)) app.focus.toComposer(id);
}

function linesOf(pieces: readonly Piece[]): string[] {
  const { text, rest } = foldKeys('', pieces);
  return [text, ...(rest ? linesOf(rest) : [])];
}

/** Acts as if the pieces were typed into the composer, with Return. A background tab has no composer, so history is not available. */
export function typeInto(app: AppState, terminal: TerminalState, pieces: readonly Piece[]): void {
  if (pieces.length === 0) return;
  const walk = findWalk(pieces);
  const { text, caret, rest } = foldKeys(terminal.draft, walk ? walk.before : pieces);
  terminal.draft = text;
  if (rest) return void submitDraft(app, terminal, rest);
  if (!walk) return caret === undefined ? undefined : app.focus.putCaret(terminal.id, text, caret);
  if (!app.focus.walkHistory(terminal.id, walk.by, walk.after)) typeInto(app, terminal, walk.after);
}

type Refusal = Reason | 'declined' | null;

/** `running`: the block for which the line is meant, null at a prompt. The core does not send it to another one. */
async function send(
  app: AppState,
  { id, text, running }: { id: string; text: string; running: string | null },
): Promise<Refusal> {
  if (!app.paste.fits(text)) return 'declined';
  const verdict = await app.rpc.terminal.submit({ id, text, asked: { running } });
  if (verdict.ok) return null;
  if (verdict.reason !== 'confirm') return verdict.reason;
  if (!(await app.paste.confirm(verdict, text))) return 'declined';
  const confirmed = await app.rpc.terminal.submit({ id, text, asked: { running, confirmed: true } });
  return confirmed.ok || confirmed.reason === 'confirm' ? null : confirmed.reason;
}
