import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Keys } from '../../src-main/hosts/web/Keys.ts';
import { loadStaticFiles } from '../../src-main/hosts/web/staticFiles.ts';
import { WebHost } from '../../src-main/hosts/web/WebHost.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';
import { stubCore } from './stubCore.ts';

const keys = new Keys(() => Date.now());
const browser = new TestBrowser();
const hasBrowser = existsSync(BROWSER);
let host: WebHost;
let evil: Server;
let own: string;
let ownPort: number;
let elsewhere: string;
let served: ServedApp | null = null;

beforeAll(async () => {
  host = new WebHost({ core: stubCore(), keys, frontend: 'web', files: loadStaticFiles(join(ROOT, 'out/renderer')) });
  ownPort = await host.listen({ port: 0, host: '127.0.0.1' });
  own = `http://127.0.0.1:${ownPort}`;
  evil = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>evil</title>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => evil.once('listening', resolve));
  elsewhere = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser.dispose();
  await served?.dispose();
  host.dispose();
  evil.closeAllConnections();
  await new Promise((resolve) => evil.close(resolve));
  const isLeft = (): boolean =>
    process.getActiveResourcesInfo().some((kind) => kind === 'TCPServerWrap' || kind === 'ProcessWrap');
  while (isLeft()) await new Promise((resolve) => setImmediate(resolve));
});

/** A page's attempts against `target`, with their outcomes for the page. Runs in the browser. */
async function attack({
  target,
  code,
  token,
}: {
  target: string;
  code: string;
  token: string;
}): Promise<Record<string, string>> {
  const body = JSON.stringify({ code });
  const settle = (start: (done: (outcome: string) => void) => void): Promise<string> => new Promise(start);
  const read = (path: string, init?: RequestInit): Promise<string> =>
    fetch(target + path, init).then(
      async (response) => `${response.type} ${await response.text()}`,
      () => 'refused',
    );
  /** A frame that `lead` navigates. Listens for `load` after the frame is in the page, because an empty frame also loads. */
  const frame = (lead: (element: HTMLIFrameElement) => void): Promise<string> =>
    settle((done) => {
      const element = document.createElement('iframe');
      element.name = `f${document.querySelectorAll('iframe').length}`;
      document.body.append(element);
      element.onload = () =>
        done(element.contentDocument === null ? 'closed' : `open: ${element.contentDocument.title}`);
      lead(element);
    });
  return {
    read: await read('/'),
    readWithToken: await read('/', { headers: { Authorization: `Bearer ${token}` } }),
    opaque: await read('/', { mode: 'no-cors', credentials: 'include' }),
    json: await read('/api/exchange', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }),
    simple: await read('/api/exchange', {
      method: 'POST',
      body,
      mode: 'no-cors',
      headers: { 'Content-Type': 'text/plain' },
    }),
    socket: await settle((done) => {
      const socket = new WebSocket(`${target.replace('http', 'ws')}/trpc`, ['hansard', `token.${token}`]);
      socket.onopen = () => done('open');
      socket.onerror = () => done('refused');
    }),
    events: await settle((done) => {
      const source = new EventSource(`${target}/trpc`);
      source.onopen = () => done('open');
      source.onerror = () => {
        source.close();
        done('refused');
      };
    }),
    image: await settle((done) => {
      const image = new Image();
      image.onload = () => done('loaded');
      image.onerror = () => done('refused');
      image.src = `${target}/`;
    }),
    script: await settle((done) => {
      const script = document.createElement('script');
      script.onload = () => done('loaded');
      script.onerror = () => done('refused');
      script.src = `${target}/index.html`;
      document.body.append(script);
    }),
    frame: await frame((element) => {
      element.src = `${target}/`;
    }),
    form: await frame((element) => {
      const form = document.createElement('form');
      Object.assign(form, {
        method: 'POST',
        action: `${target}/api/exchange`,
        enctype: 'text/plain',
        target: element.name,
      });
      const field = document.createElement('input');
      Object.assign(field, { name: body.slice(0, -1), value: '}' });
      form.append(field);
      document.body.append(form);
      form.submit();
    }),
  };
}

describe('a page of another origin', () => {
  test('reads nothing, connects to nothing and uses no code up, even when it knows the token', async (context) => {
    if (!hasBrowser) context.skip('no Chromium or Chrome on this machine');
    const code = keys.newCode();
    const { page } = await browser.open(elsewhere);
    const seen = await page.evaluate(attack, { target: own, code, token: keys.token });
    expect(seen).toEqual({
      read: 'refused',
      readWithToken: 'refused',
      opaque: expect.stringMatching(/^(opaque )?(refused)?$/),
      json: 'refused',
      simple: expect.stringMatching(/^(opaque )?(refused)?$/),
      socket: 'refused',
      events: 'refused',
      image: 'refused',
      script: 'refused',
      frame: 'closed',
      form: 'closed',
    });
    expect(keys.exchange(code), 'the code still works for its owner').toBe(keys.token);
  });
});

/** Collects violations of the content security policy from before the page's first script. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(globalThis, { brokenRules: broken });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => broken.push(effectiveDirective));
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'brokenRules') as string[]);
}

describe('our own page', () => {
  test('breaks no rule of its policy, and what is injected into it does not run', async (context) => {
    if (!hasBrowser) context.skip('no Chromium or Chrome on this machine');
    const { page } = await browser.open('about:blank');
    const brokenRules = await watchPolicy(page);
    served = await new ServedApp().start();
    await page.goto(served.url);
    await page.locator('#app > *').first().waitFor();
    expect(await brokenRules()).toEqual([]);

    const ran = await page.evaluate(async (other) => {
      const reached: string[] = [];
      Object.assign(globalThis, { reach: (name: string) => reached.push(name) });
      const attempt = (name: string, run: () => unknown): void => {
        try {
          run();
          reached.push(`${name} was not refused`);
        } catch {
          // The browser refuses it, as expected.
        }
      };
      attempt('markup', () => {
        document.body.innerHTML += '<img src=x onerror="reach(1)">';
      });
      // The debugger's own calls may use eval, but their timers may not.
      await new Promise((resolve) =>
        setTimeout(() => {
          attempt('eval', () => Reflect.get(globalThis, 'eval')('reach(2)'));
          resolve(null);
        }),
      );
      attempt('script text', () => {
        document.createElement('script').text = 'reach(3)';
      });
      const image = document.createElement('img');
      image.src = `${other}x.png`;
      image.onload = () => reached.push('an image of another place');
      document.body.append(image);
      await fetch(other, { mode: 'no-cors' }).then(
        () => reached.push('another place'),
        () => undefined,
      );
      return reached;
    }, elsewhere);
    expect(ran).toEqual([]);
    expect(await brokenRules()).toEqual(
      expect.arrayContaining(['require-trusted-types-for', 'img-src', 'connect-src']),
    );
  });
});
