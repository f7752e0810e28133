import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from 'electron';
import { describe, expect, test } from 'vitest';
import { guardSession, mayDownload, mayHave } from '../../../src-main/hosts/electron/permissions.ts';
import { ROOT } from '../../support/sourceFiles.ts';

/** Every permission name in the types of this Electron. */
function knownPermissions(): string[] {
  const types = readFileSync(join(ROOT, 'node_modules/electron/electron.d.ts'), 'utf8');
  const signature = types.match(/setPermissionRequestHandler\(handler: .*?permission: ([^,]*),/)?.[1] ?? '';
  return [...signature.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
}

/** A name that Electron's types do not know does not compile. */
type Permission = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1];
type Handler = (...args: unknown[]) => unknown;

function guarded(): Record<string, Handler> {
  const handlers: Record<string, Handler> = {};
  const remember = (name: string) => (handler: Handler) => {
    handlers[name] = handler;
  };
  guardSession({
    setPermissionRequestHandler: remember('request'),
    setPermissionCheckHandler: remember('check'),
    setDevicePermissionHandler: remember('device'),
    setDisplayMediaRequestHandler: remember('display'),
    on: (name: string, handler: Handler) => remember(name)(handler),
  } as unknown as Session);
  return handlers;
}

describe('permissions', () => {
  const names = knownPermissions();
  const handlers = guarded();
  const ask = (permission: string, requestingUrl: string): unknown => {
    let answer: unknown;
    handlers.request?.(
      null,
      permission,
      (granted: boolean) => {
        answer = granted;
      },
      { requestingUrl },
    );
    return answer;
  };

  test('the list of names is the one of Electron itself', () => {
    expect(names).toEqual(expect.arrayContaining(['clipboard-read', 'media', 'notifications', 'usb', 'unknown']));
    expect(names.length).toBeGreaterThan(30);
  });

  test('of all names our page has two, by request and by check: it copies and it notifies', () => {
    const own = 'app://bundle/index.html';
    const given: Permission[] = ['clipboard-sanitized-write', 'notifications'];
    expect(names.filter((name) => ask(name, own)).sort()).toEqual(given);
    expect(names.filter((name) => handlers.check?.(null, name, 'app://bundle', {})).sort()).toEqual(given);
  });

  test.each([
    'https://evil.example/',
    'app://other/',
    'app://bundle.evil.example/',
    'null',
    '',
    'file:///x',
    'data:text/html,x',
  ])('a page at "%s" has none', (url) => {
    expect(names.filter((name) => mayHave(name, url) || ask(name, url))).toEqual([]);
  });

  test('no device and no screen is given', () => {
    const given: unknown[] = [];
    handlers.display?.({}, (streams: unknown) => given.push(streams));
    expect([handlers.device?.({}), given]).toEqual([false, [{}]]);
  });
});

describe('downloads', () => {
  test.each([
    ['blob:app://bundle/7e3b', true],
    ['blob:https://evil.example/7e3b', false],
    ['https://evil.example/x.sh', false],
    ['app://bundle/index.html', false],
    ['data:text/plain,x', false],
    ['file:///etc/passwd', false],
  ])('%s: %s', (url, allowed) => {
    let prevented = false;
    guarded()['will-download']?.(
      {
        preventDefault: () => {
          prevented = true;
        },
      },
      { getURL: () => url },
    );
    expect([mayDownload(url), prevented]).toEqual([allowed, !allowed]);
  });
});
