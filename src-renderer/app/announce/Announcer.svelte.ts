import type { Block } from '../../../src-main/contract/block.ts';
import { exitMeaning } from '../../cards/card/exitMeaning.ts';
import { headline } from '../../tabs/TerminalState.svelte.ts';
import { formatDuration } from '../formatWords.ts';
import { strings } from '../strings.ts';

/** Time in which a screen reader reads one sentence. Commands that end meanwhile are counted. */
const PAUSE_MS = 2_000;
/** Most characters of a command that are announced. */
const MAX_CHARS = 60;

/** Announces ended commands to screen readers: one sentence at a time, however many end. */
export class Announcer {
  /** `count` grows with each sentence, so that equal ones are read again. */
  said = $state.raw({ text: '', count: 0 });
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  ended(block: Block): void {
    const text = endSentence(block);
    if (text === '') return;
    this.#waiting.push(text);
    if (this.#timer === undefined) this.#say();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #say(): void {
    const last = this.#waiting.at(-1);
    this.#timer = undefined;
    if (last === undefined) return;
    const text = this.#waiting.length === 1 ? last : strings.cards.ended.several(this.#waiting.length, last);
    this.said = { text, count: this.said.count + 1 };
    this.#waiting = [];
    this.#timer = setTimeout(() => this.#say(), PAUSE_MS);
  }
}

/** `npm test failed with exit code 1 after 12 s`; '' for a block without a command. */
export function endSentence(block: Block): string {
  if (block.kind !== 'command' || block.endedMs === null) return '';
  const words = strings.cards.ended;
  const line = headline(block.cmd) ?? words.unknown;
  const cmd = line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
  const { tone, label } = exitMeaning(block);
  const how =
    tone === 'failed' && block.exitCode !== null
      ? words.failed(cmd, block.exitCode)
      : tone === 'ok'
        ? words.done(cmd)
        : words.otherwise(cmd, label);
  return block.durationMs === null ? how : words.after(how, formatDuration(block.durationMs));
}
