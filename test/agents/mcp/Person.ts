import type { Approval, ApprovalAnswer } from '../../../src-main/contract/mcp/approval.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';

/** The person at the window, who reads and answers approvals. The caller disposes it. */
export class Person {
  /** All approvals, as the window shows them. */
  readonly asked: Approval[] = [];
  readonly #listening: { unsubscribe(): void };

  constructor(api: CoreConnection['api'], answerTo: (approval: Approval) => ApprovalAnswer) {
    this.#listening = api.approval.onChange.subscribe(undefined, {
      onData: (change) => {
        if (change.type !== 'asked' || this.asked.some(({ id }) => id === change.approval.id)) return;
        const { approval } = change;
        this.asked.push(approval);
        const { id } = approval;
        void api.approval.shown
          .mutate({ id })
          .then(() => api.approval.answer.mutate({ id, answer: answerTo(approval) }));
      },
    });
  }

  dispose(): void {
    this.#listening.unsubscribe();
  }
}
