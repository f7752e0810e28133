import type { LogMessage } from '../reconcile/LogMessage.ts';
import { bareText } from '../reconcile/sameText.ts';
import type { HookPiece } from './HookSource.ts';

/** Most pieces of one message; no agent sends a larger index. */
const MAX_PIECES = 100_000;
/** Messages kept of a session; earlier ones were reconciled long ago. */
const MAX_MESSAGES = 500;

interface Held extends LogMessage {
  /** Pieces of its text by index, because hooks that run at the same time end in any order. */
  readonly pieces?: readonly string[];
}

/** Folds the pieces that hooks report into messages, as a second source for the conversation (`reconcile`). */
export class HookFold {
  #messages: Held[] = [];
  #count = 0;

  get messages(): readonly LogMessage[] {
    return this.#messages;
  }

  take(piece: HookPiece, atMs: number): void {
    switch (piece.type) {
      case 'prompt':
        return this.#add({ id: this.#nextId(), kind: 'user', text: piece.text, atMs });
      case 'delta':
        return this.#delta(piece, atMs);
      case 'said':
        return this.#said(piece.text, atMs);
      case 'call':
        return this.#add({ id: piece.id ?? this.#nextId(), kind: 'tool', text: '', tool: piece.tool, atMs });
      case 'result':
        return this.#result(piece);
    }
  }

  #nextId(): string {
    this.#count += 1;
    return `h${this.#count}`;
  }

  #add(message: Held): void {
    if (this.#messages.some(({ id }) => id === message.id)) return;
    this.#messages = [...this.#messages, message].slice(-MAX_MESSAGES);
  }

  #delta({ id, index, text }: Extract<HookPiece, { type: 'delta' }>, atMs: number): void {
    if (!(Number.isInteger(index) && index >= 0 && index < MAX_PIECES)) return;
    const at = this.#messages.findIndex((message) => message.id === id);
    const known = this.#messages[at];
    const pieces = [...(known?.pieces ?? [])];
    pieces[index] = text;
    const whole = Array.from(pieces, (piece) => piece ?? '').join('');
    if (known) this.#messages[at] = { ...known, text: whole, pieces };
    else this.#insert({ id, kind: 'model', text: whole, pieces, atMs });
  }

  /** A hook may report a call before the text that led to it, so text that comes while the last call is open goes before this call. */
  #insert(message: Held): void {
    const last = this.#messages.at(-1);
    const isEarly = last?.tool !== undefined && last.tool.output === undefined;
    const place = isEarly ? this.#messages.length - 1 : this.#messages.length;
    this.#messages = this.#messages.toSpliced(place, 0, message).slice(-MAX_MESSAGES);
  }

  /** `text` repeats the streamed text, or is the only report of it. */
  #said(text: string, atMs: number): void {
    const at = this.#messages.findLastIndex(({ kind }) => kind === 'model');
    const known = at > this.#messages.findLastIndex(({ kind }) => kind === 'user') ? this.#messages[at] : undefined;
    const bare = bareText(text);
    if (known && bare.startsWith(bareText(known.text))) this.#messages[at] = { ...known, text };
    else if (!known || !bareText(known.text).includes(bare))
      this.#add({ id: this.#nextId(), kind: 'model', text, atMs });
  }

  #result({ id, name, output, status }: Extract<HookPiece, { type: 'result' }>): void {
    const at = this.#messages.findIndex(
      ({ id: known, tool }) => tool && (id === null ? tool.name === name && tool.output === undefined : known === id),
    );
    const known = this.#messages[at];
    if (known?.tool) this.#messages[at] = { ...known, tool: { ...known.tool, output, ...(status && { status }) } };
  }
}
