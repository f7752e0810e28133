import { describe, expect, test } from 'vitest';
import { isFeed, Updates } from '../../../src-main/hosts/electron/system/Updates.ts';

function setUp({
  answers = [],
  version = null as string | null,
  fault = '',
}: {
  answers?: number[];
  version?: string | null;
  fault?: string;
}) {
  const done: string[] = [];
  const updater = {
    autoDownload: true,
    setFeedURL: ({ url }: { url: string }) => void done.push(`feed ${url}`),
    checkForUpdates: async () => {
      if (fault !== '') throw new Error(fault);
      return version === null ? null : { isUpdateAvailable: version !== '', updateInfo: { version } };
    },
    downloadUpdate: async () => void done.push(`download, by itself: ${updater.autoDownload}`),
    quitAndInstall: () => void done.push('install'),
  };
  const updates = new Updates({
    feed: () => 'https://example.org/hansard',
    load: async () => updater,
    ask: async ({ message, buttons = [] }) => {
      done.push(message);
      return answers.shift() ?? buttons.length - 1;
    },
  });
  return { updates, done };
}

describe('looking for a new version', () => {
  test.each([
    [{}, ['Hansard is up to date.']],
    [{ version: '' }, ['Hansard is up to date.']],
    [{ version: '2.0.0' }, ['Hansard 2.0.0 is available.']],
    [{ fault: 'ENOTFOUND' }, ['Could not look for a new version.']],
    [
      { version: '2.0.0', answers: [0, 1] },
      ['Hansard 2.0.0 is available.', 'download, by itself: false', 'Hansard 2.0.0 is downloaded.'],
    ],
    [
      { version: '2.0.0', answers: [0, 0] },
      ['Hansard 2.0.0 is available.', 'download, by itself: false', 'Hansard 2.0.0 is downloaded.', 'install'],
    ],
  ])('with %j tells and does %j', async (given, expected) => {
    const { updates, done } = setUp(given);
    await updates.look();
    expect(done).toEqual(['feed https://example.org/hansard', ...expected]);
  });

  test.each([
    ['https://example.org/x', true],
    ['http://example.org/x', false],
    ['https://me@example.org/', false],
    ['file:///tmp/feed', false],
    ['', false],
  ])('%s is a feed: %s', (address, expected) => {
    expect(isFeed(address)).toBe(expected);
  });
});
