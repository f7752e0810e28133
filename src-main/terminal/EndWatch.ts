import type { TerminalEvent } from '../contract/event.ts';

/** Notices when a shell with a hook begins a command and never ends it. */
export class EndWatch {
  #isOpen = false;
  #isLost = false;
  /** The shell that drew the last prompt. */
  #shell: string | null = null;

  /** At a prompt: whether an end was due since the one before. Another shell that takes over ends nothing of the first. */
  isLost(event: TerminalEvent): boolean {
    if (event.type === 'begin' && event.trusted) {
      this.#isLost ||= this.#isOpen;
      this.#isOpen = true;
    } else if (event.type === 'end' && event.trusted) this.#isOpen = false;
    else if (event.type === 'prompt' && event.trusted) {
      const shell = `${event.shell} ${event.words?.id.split('.')[0]}`;
      const isLost = (this.#isLost || this.#isOpen) && shell === this.#shell;
      this.clear();
      this.#shell = shell;
      return isLost;
    }
    return false;
  }

  clear(): void {
    this.#isOpen = false;
    this.#isLost = false;
    this.#shell = null;
  }
}
