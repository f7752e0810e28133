import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatDocument } from '../../../../src-main/conversations/extraction/exporters/ChatDocument.ts';
import { html } from '../../../../src-main/conversations/extraction/exporters/html.ts';
import { shownText } from '../../../../src-main/conversations/extraction/exporters/shownText.ts';
import { suiteFolder } from '../../../store/suiteFolder.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { BROWSER, TestBrowser } from '../../../support/WebApp.ts';
import { anyDocument, anyText, documentOf, message } from './conversation.ts';

const folder = suiteFolder('html');
const browser = new TestBrowser();
afterAll(() => browser.dispose());

/** Every element of an export, with its allowed attributes. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  html: ['lang'],
  head: [],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  title: [],
  style: [],
  body: [],
  main: [],
  header: [],
  footer: [],
  h1: ['dir'],
  p: ['class'],
  ul: ['class'],
  ol: ['start'],
  li: [],
  article: ['class', 'id'],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  span: ['class', 'dir', 'title'],
  div: ['class', 'dir'],
  a: ['class', 'href', 'rel'],
  time: ['datetime'],
  details: ['class', 'id', 'open'],
  summary: [],
  pre: ['class', 'dir'],
  code: ['dir'],
  blockquote: [],
  hr: [],
  br: [],
  strong: [],
  em: [],
  del: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['class'],
  td: ['class'],
};

interface Parsed {
  elements: { name: string; attributes: Record<string, string> }[];
  comments: number;
  /** The texts that are not Markdown, in order: a person's messages, remarks and outputs. */
  plain: string[];
  outputs: string[];
  inputs: string[];
}

/** Parses the page in a browser without running anything in it. */
function parse(page: Page, text: string): Promise<Parsed> {
  return page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'text/html');
    const texts = (selector: string): string[] =>
      [...parsed.querySelectorAll(selector)].map((one) => one.textContent ?? '');
    const comments = parsed.createNodeIterator(parsed, NodeFilter.SHOW_COMMENT);
    let count = 0;
    while (comments.nextNode()) count += 1;
    return {
      elements: [...parsed.querySelectorAll('*')].map((one) => ({
        name: one.localName,
        attributes: Object.fromEntries([...one.attributes].map(({ name, value }) => [name, value])),
      })),
      comments: count,
      plain: texts('article:not(.model) > .words > .plain'),
      outputs: texts('.tool > .output'),
      inputs: texts('.tool .input'),
    };
  }, text);
}

const CLASS = /^(?:[a-z]+|hljs-[\w-]+|hljs-[\w-]+(?: [\w-]+)*|[a-z]+ [a-z]*)$/;

function expectOnlyOurs({ elements, comments }: Parsed): void {
  expect(comments).toBe(0);
  for (const { name, attributes } of elements) {
    const known = OURS[name];
    expect(known, `<${name}>`).toBeDefined();
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(known, `<${name} ${attribute}>`).toContain(attribute);
      if (attribute === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:|#m\d+$)/);
      if (attribute === 'class') expect(value).toMatch(CLASS);
    }
  }
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('HTML of a conversation, in Chromium', () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await browser.open('about:blank'));
  });

  test('no text becomes an element, an attribute, a comment or an address of another kind (law)', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => expectOnlyOurs(await parse(page, html.write(document)))),
      fuzzRuns(150),
    );
  });

  test('what a person, a tool or the screen said reads as it was (law)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { minLength: 3, maxLength: 3 }),
        async ([user = '', input = '', output = '']) => {
          const tool = { name: 'Bash', input, output };
          const document = documentOf([
            message('user', user),
            message('notice', user),
            message('toolCall', '', { tool }),
          ]);
          const { plain, outputs, inputs } = await parse(page, html.write(document));
          expect(plain).toEqual([shownText(user), shownText(user)]);
          expect(inputs).toEqual([shownText(input)]);
          expect(outputs).toEqual(output === '' ? [] : [shownText(output)]);
        },
      ),
      fuzzRuns(150),
    );
  });

  test('holds no character that a terminal would obey or that hides (law)', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(html.write(document)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u,
        );
      }),
      fuzzRuns(150),
    );
  });

  test('every Markdown construct is drawn, HTML and pictures as their words', async () => {
    const text = [
      '# One',
      'a **b** *c* ~~d~~ `e<f>` [g](https://h.example/?a=1&b=2) <b>raw</b> ![pic](http://t.example/p.png)',
      '- [x] done\n- open\n  1. nested',
      '> quoted',
      '| l | r |\n|:-:|--:|\n| 1 | 2 |',
      '```ts\nconst x = "<y>";\n```',
      '---',
      '[no](javascript:alert(1)) <javascript:alert(1)>',
    ].join('\n\n');
    await page.setContent(html.write(documentOf([message('model', text)])));
    expect(await page.locator('.words').innerText()).toContain('<b>raw</b> ![pic](http://t.example/p.png)');
    expect(await page.locator('.words').innerText()).toContain('[no](javascript:alert(1)) <javascript:alert(1)>');
    const names = await page
      .locator('.words *')
      .evaluateAll((all) => [...new Set(all.map(({ localName }) => localName))].sort());
    expect(names).toEqual([
      'a',
      'blockquote',
      'code',
      'del',
      'div',
      'em',
      'h3',
      'hr',
      'li',
      'ol',
      'p',
      'pre',
      'span',
      'strong',
      'table',
      'tbody',
      'td',
      'th',
      'thead',
      'tr',
      'ul',
    ]);
    expect(await page.locator('.words pre .hljs-keyword').innerText()).toBe('const');
    expect(await page.locator('.words a').getAttribute('href')).toBe('https://h.example/?a=1&b=2');
  });

  test('opened from a file it asks for nothing, runs nothing, and its own style is let through', async () => {
    const corpus = readFileSync(
      new URL('../../../fixtures/security/export-injection.jsonl', import.meta.url),
      'utf8',
    ).trim();
    const bad = corpus
      .split('\n')
      .map((line) => Buffer.from((JSON.parse(line) as { text_b64: string }).text_b64, 'base64').toString());
    const blns = JSON.parse(
      readFileSync(new URL('../../../fixtures/security/blns.json', import.meta.url), 'utf8'),
    ) as string[];
    const texts = [...bad, ...blns, '<script src=http://127.0.0.1:9/x></script>', '![x](http://127.0.0.1:9/y.png)'];
    const written: ChatDocument = documentOf(
      texts.flatMap((text) => [
        message('user', text),
        message('model', text),
        message('toolCall', text, { tool: { name: text, input: text, output: text } }),
        message('permission', text),
      ]),
    );
    const path = join(folder, 'bad.html');
    writeFileSync(path, html.write(written));
    const { page: opened, context } = await browser.open('about:blank');
    const asked: string[] = [];
    const events: string[] = [];
    opened.on('request', (request) => asked.push(request.url()));
    opened.on('dialog', (dialog) => {
      events.push(dialog.message());
      void dialog.dismiss();
    });
    opened.on('pageerror', (error) => events.push(error.message));
    opened.on('console', (said) => events.push(said.text()));
    await opened.goto(pathToFileURL(path).href);
    expect(await opened.evaluate(() => getComputedStyle(document.body).paddingTop)).toBe('56px');
    expect({ asked, events }).toEqual({ asked: [pathToFileURL(path).href], events: [] });
    await context.close();
  }, 120_000);

  test('what is no prose is drawn as it is, in time: deep nesting, only marks', async () => {
    for (const text of ['> '.repeat(20_000), '1. '.repeat(8000), '_a'.repeat(20_000), '[a]('.repeat(20_000)]) {
      const started = performance.now();
      const written = html.write(documentOf([message('model', text)]));
      expect(performance.now() - started).toBeLessThan(5000);
      expect(written.includes(text.slice(0, 40).replaceAll('>', '&gt;').trim()), text.slice(0, 8)).toBe(true);
    }
  });
});
