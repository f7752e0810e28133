import fc from 'fast-check';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { MOST_TEXT_CHARS } from '../../../src-main/telemetry/spanContent.ts';
import { Talk } from './talks.ts';

const letters = (count: number) =>
  fc.string({
    unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'),
    minLength: count,
    maxLength: count,
  });

/** Random secrets in forms that redaction recognizes. */
const anySecret: fc.Arbitrary<{ text: string; secret: string }> = fc.oneof(
  letters(36).map((key) => ({ text: `ghp_${key}`, secret: key })),
  letters(95).map((key) => ({ text: `sk-ant-api03-${key}`, secret: key })),
  letters(40).map((key) => ({ text: `Authorization: Bearer ${key}`, secret: key })),
  // A value that is recognized by its name needs a digit, because plain words are no secrets there.
  letters(22).map((key) => ({ text: `export API_TOKEN=7${key}4`, secret: key })),
  letters(20).map((key) => ({ text: `https://deploy:${key}@git.example.com/x.git`, secret: key })),
);

/** A prefix that puts the secret before, across or after the point at which long texts are cut. */
const anyLead = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .integer({ min: MOST_TEXT_CHARS - 120, max: MOST_TEXT_CHARS + 20 })
    .map((length) => 'word '.repeat(Math.ceil(length / 5)).slice(0, length)),
);

const PLACES = ['prompt', 'answer', 'logged', 'toolName', 'input', 'output', 'result', 'permission'] as const;

/** A conversation with secrets in its texts, and the secrets. */
export const plantedTalk: fc.Arbitrary<{ talk: Talk; secrets: string[] }> = fc
  .array(fc.record({ place: fc.constantFrom(...PLACES), lead: anyLead, planted: anySecret }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((plants) => {
    const talk = new Talk(1_700_000_000_000);
    for (const { place, lead, planted } of plants) {
      const text = `${lead}\n${planted.text}\n`;
      const tool = {
        name: place === 'toolName' ? planted.text : 'Bash',
        input: 'ls',
        output: 'x',
        status: 'done' as const,
      };
      talk.say('user', place === 'prompt' ? text : 'go on').state('working');
      talk.tool({ ...tool, ...(place === 'input' && { input: text }), ...(place === 'output' && { output: text }) });
      if (place === 'result') talk.tool({ name: 'Read', input: 'f' }).say('toolResult', text);
      if (place === 'permission') talk.say('permission', text, { question: { options: [planted.text, 'No'] } });
      const more: Partial<ChatMessage> = place === 'logged' ? { log: { text } } : {};
      talk.say('model', place === 'answer' ? text : 'done', more).state('idle');
    }
    return { talk, secrets: plants.map(({ planted }) => planted.secret) };
  });
