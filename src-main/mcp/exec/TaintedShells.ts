import type { Judgement } from '../../contract/chat/judgement.ts';
import { changesShell } from '../../policy/changesShell.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Grants } from '../access/Grants.ts';

const REASON =
  'an outside agent has run, or may have run, something here after which words may mean something else in this shell (an alias, a function, a variable)';

/**
 * Shells in which a client ran a command that may have changed the meaning of words (an alias, for example). Until that shell exits, commands that a
 * rule would allow by their words need an approval. Changes by the person do not count: they know what they do to their own shell.
 */
export class TaintedShells {
  readonly #grants: Grants;

  constructor(grants: Grants) {
    this.#grants = grants;
  }

  /** Call when a client's command runs in the shell itself, not in a subshell. If it changes the shell, earlier grants are revoked. */
  ran({ id, reports }: PtyInstance, cmd: string): void {
    if (!changesShell(cmd)) return;
    reports.changedByClient();
    this.#grants.forget(id);
  }

  /** Returns the judgement, with `allow` changed to `ask` where words may have a changed meaning. */
  judged({ reports }: PtyInstance, judgement: Judgement): Judgement {
    return judgement.verdict === 'allow' && reports.isChangedByClient
      ? { ...judgement, verdict: 'ask', rule: 'changed_shell', reason: REASON }
      : judgement;
  }
}
