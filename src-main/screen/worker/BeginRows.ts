import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { BeginRow } from './screenProtocol.ts';

/** More commands than can end between a begin and the query for its row. */
const MAX_ROWS = 64;

/** Start rows of the last commands' output: a block may have ended before its row is queried. */
export class BeginRows {
  #rows: readonly BeginRow[] = [];

  get rows(): BeginRow[] {
    return [...this.#rows];
  }

  /** A command begins at `offset`, at the model's cursor. */
  note(offset: number, model: ScreenModel): void {
    const { cursorRow: row, commandRows } = model;
    const begun = { offset, row, commandText: model.commandText(), ...(commandRows && { commandRows }) };
    this.#rows = [...this.#rows.slice(1 - MAX_ROWS), begun];
  }
}
