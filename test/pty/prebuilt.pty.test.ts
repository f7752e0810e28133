import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PREBUILDS = fileURLToPath(new URL('../../node_modules/node-pty/prebuilds/', import.meta.url));

test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])(
  'the PTY library brings a binary for %s, so that no machine needs a compiler',
  (platform) => {
    expect(existsSync(`${PREBUILDS}${platform}/pty.node`)).toBe(true);
  },
);

test.each(['darwin-x64', 'darwin-arm64'])('the helper that starts programs on %s may be executed', (platform) => {
  expect(statSync(`${PREBUILDS}${platform}/spawn-helper`).mode & 0o111).toBe(0o111);
});
