import type { TerminalEvent } from '../contract/event.ts';

/** Notices if a shell with a hook begins a command and never reports its end. */
export class EndWatch {
  #isOpen = false;
  #isLost = false;
  /** The shell that drew the last prompt. */
  #shell: string | null = null;

  /** At a prompt: whether the end of the last command is missing. Another shell that takes over does not end the first one's command. */
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
