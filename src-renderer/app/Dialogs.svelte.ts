export interface Question {
  title: string;
  /** Plain text; line breaks are kept. */
  body: string;
  /** Shown in the terminal's font, exactly as given. */
  exact?: string;
  /** Label of the button, as a verb: "Close tab". */
  confirm: string;
  /** The button is red, and Return does not press it. */
  isDangerous?: boolean;
}

/** Shows one question at a time. A new question answers the previous one with no. */
export class Dialogs {
  question = $state.raw<Question | null>(null);
  #answer: ((yes: boolean) => void) | undefined;

  ask(question: Question): Promise<boolean> {
    this.answer(false);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.question = question;
    });
  }

  answer(yes: boolean): void {
    const resolve = this.#answer;
    this.#answer = undefined;
    this.question = null;
    resolve?.(yes);
  }
}
