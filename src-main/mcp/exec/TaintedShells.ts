import type { Judgement } from '../../contract/chat/judgement.ts';
import { changesShell } from '../../policy/changesShell.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Grants } from '../access/Grants.ts';

const REASON =
  'an outside agent has run something here after which words may mean something else in this shell (an alias, a function, a variable)';

/**
 * Shells in which a client ran what may have given words another meaning. What a rule allows by its words asks there, until that shell is
 * gone; what the person does to their own shell is theirs to know.
 */
export class TaintedShells {
  readonly #grants: Grants;
  /** Process of the shell, by terminal. */
  readonly #shells = new Map<string, number | null>();

  constructor(grants: Grants) {
    this.#grants = grants;
  }

  /** A client's command goes to the shell itself, and not to a subshell. What was allowed there before is asked for once more. */
  ran({ id, input }: PtyInstance, cmd: string): void {
    if (!changesShell(cmd)) return;
    this.#shells.set(id, input.shellPid);
    this.#grants.forget(id);
  }

  /** The same, but no rule's yes where words may mean something else. */
  judged({ id, input }: PtyInstance, judgement: Judgement): Judgement {
    const isChanged = this.#shells.has(id) && this.#shells.get(id) === input.shellPid;
    return judgement.verdict === 'allow' && isChanged
      ? { ...judgement, verdict: 'ask', rule: 'changed_shell', reason: REASON }
      : judgement;
  }

  forget(terminalId: string): void {
    this.#shells.delete(terminalId);
  }
}
