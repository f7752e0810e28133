import type { CastSubject } from '../rpc/Rpc.ts';

/** What is replayed in the window's sheet. */
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
