import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Lexer, type Token, type Tokens, walkTokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { markdown } from '../../../../src-main/conversations/extraction/exporters/markdown.ts';
import { shownText } from '../../../../src-main/conversations/extraction/exporters/shownText.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { anyDocument, anyText, documentOf, event, message } from './conversation.ts';

const inject = readFileSync(new URL('../../../fixtures/security/export-injection.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; text_b64: string })
  .map(({ id, text_b64 }) => [id, Buffer.from(text_b64, 'base64').toString()] as const);

function lex(text: string): Token[] {
  return new Lexer({ gfm: true }).lex(text);
}

/** Words of a paragraph as a reader sees them. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { type, tokens: parts, text = '' } = token as Tokens.Generic;
      if (type === 'br') return '\n';
      if (type === 'space') return '\n\n';
      return parts
        ? wordsOf(parts)
        : String(text).replace(/&(nbsp|lt|amp);/g, (_, name: string) => ({ nbsp: ' ', lt: '<', amp: '&' })[name] ?? '');
    })
    .join('');
}

describe('Markdown of a conversation', () => {
  test('has a heading for each speaker, the messages as they are, and fences around output', () => {
    const lines = [
      event('cli:newSession'),
      message('user', 'Fix *it*\nnow', { startedMs: Date.UTC(2026, 10, 21, 9, 44) }),
      message('model', '**Done:**\n\n```js\nf()\n```', { startedMs: Date.UTC(2026, 10, 21, 9, 45) }),
      message('toolCall', '', {
        tool: { name: 'Bash', input: 'echo ```', output: 'a\n````\nb', status: 'failed' },
        startedMs: Date.UTC(2026, 10, 21, 9, 46),
      }),
    ];
    expect(markdown.write(documentOf(lines)).split('\n').slice(4)).toEqual([
      '---',
      '',
      expect.stringMatching(/^\*The agent was started · 09:\d\d:\d\d\*$/),
      '',
      '### User · 09:44:00',
      '',
      'Fix \\*it\\*\\',
      'now',
      '',
      '### Agent · 09:45:00',
      '',
      '**Done:**',
      '',
      '```js',
      'f()',
      '```',
      '',
      '### Tool · 09:46:00',
      '',
      '**Bash** · failed',
      '',
      '````text',
      'echo ```',
      '````',
      '',
      '*Output, from the screen:*',
      '',
      '`````text',
      'a',
      '````',
      'b',
      '`````',
      '',
    ]);
  });

  test('shows what a tool printed at its call, also behind the question about it', () => {
    const tool = { name: 'Bash', input: 'ls' };
    const lines = [message('toolCall', '', { tool }), message('permission', 'May I?'), message('toolResult', 'a.txt')];
    const text = markdown.write(documentOf(lines));
    expect(text.indexOf('*Output, from the screen:*')).toBeGreaterThan(text.indexOf('### Tool'));
    expect(text.indexOf('a.txt')).toBeLessThan(text.indexOf('May I?'));
    expect(text).not.toContain('### Result');
  });

  test('no text gets out of its message: headings are one a message, each under the one before it (law)', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const text = markdown.write(document);
        const headings = lex(text).filter((token) => token.type === 'heading' && token.depth <= 3);
        const messages = document.lines.filter((line) => 'kind' in line);
        expect(headings.map((heading) => (heading as Tokens.Heading).depth)).toEqual([1, ...messages.map(() => 3)]);
      }),
      fuzzRuns(300),
    );
  });

  test.each([
    ['words', 'All is well.', false],
    ['a list and code', '- one\n- two\n\n```js\nf()\n```', false],
    ['headings, one level below the speakers', '# Plan\n\ntext', false],
    ['a rule, which would divide', 'one\n\n---\n\ntwo', true],
    ['a heading by its underline', 'User\n===', true],
    ['a fence without an end', '```js\nf()', true],
  ])('%s: quotes only text that could pass for another speaker', (_, text, isQuoted) => {
    const written = markdown.write(documentOf([message('model', text)]));
    expect(/^> /m.test(written)).toBe(isQuoted);
  });

  test('nothing in it is HTML, loads a picture, or leads anywhere but to the web or to mail (law)', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        walkTokens(lex(markdown.write(document)), (token) => {
          const { type, href } = token as Tokens.Generic;
          expect(['html', 'image', 'def']).not.toContain(type);
          if (type === 'link') expect(String(href)).toMatch(/^(?:https?:|mailto:)/i);
        });
      }),
      fuzzRuns(300),
    );
  });

  test.each(inject)('%s stays text, whoever says it', (_, text) => {
    const document = documentOf([message('user', text), message('model', text), message('notice', text)]);
    const written = markdown.write(document);
    walkTokens(lex(written), (token) => expect(['html', 'image']).not.toContain(token.type));
    expect(written).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  test("a person's words read as they were typed (law)", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = shownText(text);
        const tokens = lex(markdown.write(documentOf([message('user', text)])));
        const head = tokens.findIndex((token) => token.type === 'heading' && token.depth === 3);
        const read = wordsOf(tokens.slice(head + 1));
        const plain = (words: string): string =>
          words
            .replace(/[ \t]*\n\s*/g, '\n')
            .replace(/\t/g, ' ')
            .trim();
        expect(plain(read)).toBe(plain(shown));
      }),
      fuzzRuns(300),
    );
  });

  test('what was printed is in its fence as it was (law)', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const document = documentOf([message('notice', text)]);
        const code = lex(markdown.write(document)).find(({ type }) => type === 'code') as Tokens.Code | undefined;
        expect(code?.text ?? '').toBe(shownText(text).replace(/\n+$/, ''));
      }),
      { ...fuzzRuns(300), examples: [['\n'], ['\n\n']] },
    );
  });
});
