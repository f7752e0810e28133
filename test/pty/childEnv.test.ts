import { expect, test } from 'vitest';
import { childEnv } from '../../src-main/pty/childEnv.ts';

test('a shell gets the person’s environment, ours and other terminals’ taken out, and learns where it runs', () => {
  const parent = {
    HOME: '/home/a',
    LANG: 'de_DE.UTF-8',
    DISPLAY: ':0',
    PATH: '/app/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/usr/bin',
    npm_lifecycle_event: 'start',
    npm_config_cache: '/x',
    NODE_OPTIONS: '--inspect',
    ELECTRON_RUN_AS_NODE: '1',
    HANSARD_HOME: '/data',
    HANSARD_NONCE: 'secret',
    INIT_CWD: '/x',
    TMUX: '/tmp/tmux',
    VSCODE_NONCE: 'x',
    KITTY_WINDOW_ID: '1',
    TERM: 'dumb',
    TERM_PROGRAM: 'other',
    TERM_PROGRAM_VERSION: '9',
    COLUMNS: '80',
    UNSET: undefined,
  };
  expect(childEnv(parent, '1.2.3')).toEqual({
    HOME: '/home/a',
    LANG: 'de_DE.UTF-8',
    DISPLAY: ':0',
    PATH: '/usr/bin',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'hansard',
    TERM_PROGRAM_VERSION: '1.2.3',
  });
});

test('a PATH that npm did not make is left alone', () => {
  expect(childEnv({ PATH: '/p/node_modules/.bin:/usr/bin' }, '1').PATH).toBe('/p/node_modules/.bin:/usr/bin');
});

test.each([
  [{}, 'C.UTF-8'],
  [{ LC_ALL: 'C' }, undefined],
  [{ LC_CTYPE: 'en_US.UTF-8' }, undefined],
])('a locale is given only to %o', (parent, lang) => {
  expect(childEnv(parent, '1').LANG).toBe(lang);
});
