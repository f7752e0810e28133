import type { SubmitVerdict } from '../../src-main/contract/api.ts';
import type { AppState } from '../state/AppState.svelte.ts';
import type { TerminalState } from '../state/TerminalState.svelte.ts';
import type { AheadOwners } from '../state/TypedAhead.svelte.ts';
import { foldKeys, type Piece } from './foldKeys.ts';

const REFUSALS: Readonly<Record<Extract<SubmitVerdict, { ok: false }>['reason'], string>> = {
  exited: 'The shell in this tab has ended',
  busy: 'Something runs here already',
  empty: 'There is nothing to run',
  'too-long': 'This line is longer than the program can take at once',
};

/**
 * Sends the draft: to the shell as one command, or to the program that runs as a paste and Return. The draft is cleared at once, and comes
 * back if it was refused. From then on keys are for the program: they are kept until it can have them, or until the prompt is there again.
 * `typed` came after Return already. Never rejects.
 */
export async function submitDraft(app: AppState, terminal: TerminalState, typed: readonly Piece[] = []): Promise<void> {
  const { id, draft } = terminal;
  const isCommand = draft !== '' && !terminal.isRunning;
  terminal.draft = '';
  app.focus.follow(id);
  if (isCommand) {
    terminal.ahead.begin(ownersOf(app, terminal), terminal.view, typed);
    if (app.terminals.activeId === id) app.focus.toSurface(id);
  } else typeInto(app, terminal, typed);
  const refusal = await send(app, terminal, { text: draft, isCommand }).catch((error: unknown) => {
    app.notices.fail('Could not send it', error);
    return 'failed' as const;
  });
  if (refusal === null) {
    if (isCommand) terminal.ahead.accepted(terminal.view.quality.level === 'none');
    return;
  }
  terminal.draft = [draft, terminal.draft, ...linesOf(terminal.ahead.end())].filter(Boolean).join('\n');
  if (refusal !== 'failed' && refusal !== 'declined') app.notices.fail(REFUSALS[refusal]);
  app.focus.toComposer(id);
}

function ownersOf(app: AppState, terminal: TerminalState): AheadOwners {
  const { id } = terminal;
  return {
    settled: () => {
      if (terminal.draft === '') terminal.keysTo = 'program';
    },
    program: async ({ text, isPaste }) => {
      // A terminal that is gone has no use for keys, and its tab says so.
      await (isPaste ? app.paste.into(id, text) : app.rpc.terminal.write({ id, data: text }).catch(() => undefined));
    },
    standsInLine: (text) => app.focus.standsInLine(id, text),
    composer: (pieces) => {
      // At once: the next key must not be typed at the shell's own prompt.
      if (app.focus.isInSurface(id)) app.focus.toComposer(id);
      typeInto(app, terminal, pieces);
    },
  };
}

function linesOf(pieces: readonly Piece[]): string[] {
  const { text, rest } = foldKeys('', pieces);
  return [text, ...(rest ? linesOf(rest) : [])];
}

/** As if it were typed into the composer, Return and all. */
function typeInto(app: AppState, terminal: TerminalState, pieces: readonly Piece[]): void {
  if (pieces.length === 0) return;
  const { text, rest } = foldKeys(terminal.draft, pieces);
  terminal.draft = text;
  if (rest) void submitDraft(app, terminal, rest);
}

type Refusal = keyof typeof REFUSALS | 'declined' | null;

async function send(
  app: AppState,
  { id }: TerminalState,
  { text, isCommand }: { text: string; isCommand: boolean },
): Promise<Refusal> {
  if (text === '') {
    await app.rpc.terminal.write({ id, data: '\r' });
    return null;
  }
  if (!isCommand) {
    if (!(await app.paste.into(id, text))) return 'declined';
    await app.rpc.terminal.write({ id, data: '\r' });
    return null;
  }
  const verdict = await app.rpc.terminal.submit({ id, text });
  return verdict.ok ? null : verdict.reason;
}
