import { readFileSync } from 'node:fs';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import type { AgentSeat } from '../board/AgentSeat.ts';
import { readChat } from '../compare/readChat.ts';
import { plainOf } from '../compare/texts.ts';
import { onScreen } from '../drive/Seat.ts';
import { SLOW } from '../scriptedModel/script.ts';

const WORDS =
  'amber basil cedar delta ember fjord grove haven inlet jetty knoll lemon maple north ocean petal quill river';

/** An answer of about 5 s without repeated words. */
const longAnswer = (mark: string): string =>
  WORDS.split(' ')
    .flatMap((word, at) => [`${word}-${mark}-${at}`, `then-${mark}-${at}`, `and-${mark}-${at}`, `also-${mark}-${at}`])
    .join(' ');

interface Said {
  readonly kind: string;
  readonly text: string;
}

/** A conversation with turns of 5 s each, so that tests can act in the middle of one. */
export class LongTalk {
  readonly #seat: AgentSeat;
  readonly #said: Said[] = [];

  constructor(seat: AgentSeat) {
    this.#seat = seat;
  }

  get said(): Said[] {
    return this.#said.map(({ kind, text }) => ({ kind, text: plainOf(text) }));
  }

  /** Submits a prompt; resolves in the middle of the answer. */
  async begin(mark: string): Promise<void> {
    const { agent, seat, model } = this.#seat;
    const prompt = `please say ${mark}`;
    const text = longAnswer(mark);
    this.#said.push({ kind: 'user', text: prompt }, { kind: 'model', text });
    model.load({ prompt, replies: [{ text, pace: SLOW }] });
    await seat.line(prompt, agent);
    await seat.sees([onScreen(`cedar-${mark}-2`)], `${agent.name} says ${mark}`);
  }

  async finish(mark: string): Promise<void> {
    await this.#seat.seat.idle(this.#seat.agent, `the end of ${mark}`);
  }
}

/** The recorded conversations of a terminal, without replayed messages, as in all views. */
export function recordedTalk(home: string, terminalId: string): Said[][] {
  const lines = readFileSync(new SessionFolder(home, terminalId).chatJsonl, 'utf8').split('\n').filter(Boolean);
  const { conversations } = readChat(
    lines.map((line) => JSON.parse(line)),
    0,
  );
  return conversations.map(({ messages }) =>
    messages
      .filter(({ kind, replayOf }) => (kind === 'user' || kind === 'model') && replayOf === undefined)
      .map(({ kind, text }) => ({ kind, text: plainOf(text) })),
  );
}
