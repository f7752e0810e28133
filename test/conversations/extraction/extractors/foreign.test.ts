import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ChatSnapshot } from '../../../../src-main/contract/chat/extractor.ts';
import { EXTRACTORS, FALLBACK } from '../../../../src-main/conversations/extraction/extractors/agents/all.ts';
import { goose } from '../../../../src-main/conversations/extraction/extractors/agents/goose.ts';
import { ExtractorFactory } from '../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { plainSnapshot, playCast } from '../../../support/snapshots.ts';
import { FIXTURES } from './truthRun.ts';

const FOLDER = new URL('others/agentapi/', FIXTURES);
const read = (name: string) => readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8');
const screenOf = (name: string): ChatSnapshot => {
  const text = read(name);
  return plainSnapshot(text, Math.max(...text.split('\n').map((line) => line.length)));
};

describe('screens that others recorded', () => {
  const factory = new ExtractorFactory();
  const names = readdirSync(FOLDER).flatMap((file) => /^(.*)\.txt$/.exec(file)?.[1] ?? []);
  const known = new Set(EXTRACTORS.map(({ name }) => name));

  test.each(names)('%s is read by its own extractor, by the generic one if it has none', (name) => {
    const [agent = ''] = name.split('-');
    expect(factory.choose(screenOf(name)).name).toBe(known.has(agent) ? agent : FALLBACK.name);
  });

  test.each(names.filter((name) => /ready$/.test(name)))('%s: nobody has said anything', (name) => {
    const said = factory
      .choose(screenOf(name))
      .extract(screenOf(name))
      .messages.filter(({ kind }) => kind !== 'welcome' && kind !== 'notice');
    expect(said).toEqual([]);
  });
});

describe('Goose, by the screens of others', () => {
  test('a welcome, then a prompt', () => {
    expect(goose.extract(screenOf('goose-not_ready')).state).toBe('starting');
    const { messages, state } = goose.extract(screenOf('goose-ready'));
    expect([messages.map(({ kind }) => kind), state]).toEqual([['welcome'], 'idle']);
  });

  test('what was typed and what came of it, word for word', () => {
    const { messages } = goose.extract(screenOf('goose-second_message'));
    const answer = read('goose-second_message').split('\n').slice(1, -1);
    expect(messages.map(({ kind, text }) => [kind, text])).toEqual([
      ['user', 'how are you?'],
      ['model', answer.map((line) => line.trimEnd()).join('\n')],
    ]);
  });

  test.each([
    [['goose'], true],
    [['goose', 'session', '--resume'], true],
    [['goose', 'up'], false],
    [['goose', '-dir', 'migrations', 'status'], false],
  ] as const)('%j starts it: %j', (argv, starts) => {
    expect(goose.isProgram?.(argv)).toBe(starts);
  });
});

describe('a terminal in which a shell and agents take turns', () => {
  const CAST = new URL('others/mixed-shell-gemini-codex-100x30.cast', FIXTURES);
  /** Text of the shell, which no extractor may read as a message. */
  const SHELL = /ls -la|echo (before|after)-agents|^(before|after)-agents$|seq 1 40|root@demo|drwxr-xr-x/;

  test('what was typed at the shell, and what it printed, is nobody’s message', () => {
    const wrong = new Set<string>();
    playCast(CAST, ({ snapshot }) => {
      for (const extractor of EXTRACTORS) {
        for (const { kind, text } of extractor.extract(snapshot).messages) {
          const isSaid = kind === 'user' || kind === 'model' || kind === 'command';
          if (isSaid && SHELL.test(text)) wrong.add(`${extractor.name} ${kind}: ${text.slice(0, 60)}`);
        }
      }
      // The generic extractor cannot know the end of an answer, but it must not read a shell command as a prompt.
      for (const { kind, text } of FALLBACK.extract(snapshot).messages)
        if (kind !== 'model' && SHELL.test(text)) wrong.add(`${FALLBACK.name} ${kind}: ${text}`);
    });
    expect([...wrong]).toEqual([]);
  });

  test('the shell before the first agent is recognised by none', () => {
    const claimed: string[] = [];
    playCast(CAST, ({ snapshot, marker }) => {
      if (marker !== 'snap:01-shell' && marker !== 'snap:05-shell-after-clear') return;
      claimed.push(...EXTRACTORS.filter((extractor) => extractor.recognise(snapshot) > 0).map(({ name }) => name));
    });
    expect(claimed).toEqual([]);
  });
});
