export interface Question {
  title: string;
  /** Plain text; line breaks are kept. */
  body: string;
  /** Shown in the terminal's face, exactly as it is. */
  exact?: string;
  /** What the button does, as a verb: "Close tab". */
  confirm: string;
  /** Red, and not the button that Return presses. */
  isDangerous?: boolean;
}

/** The one question that may be asked at a time. A new question answers the earlier one with no. */
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
