import type { SubmitVerdict } from '../../src-main/contract/api.ts';
import type { AppState } from '../state/AppState.svelte.ts';
import type { TerminalState } from '../state/TerminalState.svelte.ts';

const REFUSALS: Readonly<Record<Extract<SubmitVerdict, { ok: false }>['reason'], string>> = {
  exited: 'The shell in this tab has ended',
  busy: 'Something runs here already',
  empty: 'There is nothing to run',
  'too-long': 'This line is longer than the program can take at once',
};

/**
 * Sends the draft: to the shell as one command, or to the program that runs as a paste and Return. The draft is cleared
 * at once, so that typing ahead starts a new one, and comes back if it was refused. Never rejects.
 */
export async function submitDraft(app: AppState, terminal: TerminalState): Promise<void> {
  const { id, draft } = terminal;
  terminal.draft = '';
  app.focus.follow(id);
  const refusal = await send(app, terminal, draft).catch((error: unknown) => {
    app.notices.fail('Could not send it', error);
    return 'failed' as const;
  });
  if (refusal === null) return;
  terminal.draft = terminal.draft === '' ? draft : `${draft}\n${terminal.draft}`;
  if (refusal !== 'failed' && refusal !== 'declined') app.notices.fail(REFUSALS[refusal]);
  app.focus.toComposer(id);
}

type Refusal = keyof typeof REFUSALS | 'declined' | null;

async function send(app: AppState, { id, isRunning }: TerminalState, text: string): Promise<Refusal> {
  if (text === '') {
    await app.rpc.terminal.write({ id, data: '\r' });
    return null;
  }
  if (isRunning) {
    if (!(await app.paste.into(id, text))) return 'declined';
    await app.rpc.terminal.write({ id, data: '\r' });
    return null;
  }
  const verdict = await app.rpc.terminal.submit({ id, text });
  return verdict.ok ? null : verdict.reason;
}
