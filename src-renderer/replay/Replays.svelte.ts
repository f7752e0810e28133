import type { CastSubject } from '../rpc/Rpc.ts';

/** The subject of the replay sheet. */
export class Replays {
  /** Null while the sheet is closed. */
  subject = $state.raw<CastSubject | null>(null);

  open(subject: CastSubject): void {
    this.subject = subject;
  }

  close(): void {
    this.subject = null;
  }
}
