import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { BeginRow } from './screenProtocol.ts';

/** More commands than can end between a begin and the question for its row. */
const MAX_ROWS = 64;

/** Where the output of the last commands began: a block may have ended before anyone asks. */
export class BeginRows {
  #rows: readonly BeginRow[] = [];

  get rows(): BeginRow[] {
    return [...this.#rows];
  }

  /** A command begins at `offset`, where the model's cursor stands. */
  note(offset: number, model: ScreenModel): void {
    const { cursorRow: row, commandRows } = model;
    const begun = { offset, row, commandText: model.commandText(), ...(commandRows && { commandRows }) };
    this.#rows = [...this.#rows.slice(1 - MAX_ROWS), begun];
  }
}
