import { Completion, type CompletionOptions } from '../completion/Completion.ts';
import { SavedCommands } from '../savedCommands/SavedCommands.ts';

/** What helps the person to write a command. */
export class Composing {
  readonly completion: Completion;
  readonly saved: SavedCommands;

  constructor(options: CompletionOptions & { dataFolder: string }) {
    this.completion = new Completion(options);
    this.saved = new SavedCommands(options.dataFolder);
  }
}
