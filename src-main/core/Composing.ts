import { Completion, type CompletionOptions } from '../completion/Completion.ts';
import { SavedCommands } from '../savedCommands/SavedCommands.ts';
import type { CommandHistory } from '../terminal/blocks/CommandHistory.ts';
import { loadHistory } from '../terminal/blocks/loadHistory.ts';

type ComposingOptions = CompletionOptions & { dataFolder: string; history: CommandHistory };

/** The parts that help the person write a command. */
export class Composing {
  readonly completion: Completion;
  readonly saved: SavedCommands;
  readonly #options: ComposingOptions;

  constructor(options: ComposingOptions) {
    this.#options = options;
    this.completion = new Completion(options);
    this.saved = new SavedCommands(options.dataFolder);
  }

  /** Fills the history from the record. */
  loadHistory(): Promise<void> {
    return loadHistory(this.#options.dataFolder, this.#options.history);
  }
}
