import { describe, expect, test } from 'vitest';
import { systemRouter } from '../../src-main/api/systemRouter.ts';
import type { PtyChatClient } from '../../src-main/core/PtyChatClient.ts';
import { Notices } from '../../src-main/notices/Notices.ts';

const OFFER = { key: 'updated', level: 'info', text: '', action: null, offers: 'restart' } as const;

/** The first notice that a window gets. */
async function firstNotice(restart?: () => Promise<void>): Promise<unknown> {
  const notices = new Notices();
  notices.raise({ ...OFFER, terminalId: null, atMs: 0 });
  const core = { notices } as unknown as PtyChatClient;
  const context = { core, frontend: 'electron', clientId: 'window', ...(restart && { restart }) } as const;
  const following = (await systemRouter.createCaller(context).onNotice()) as AsyncIterable<unknown>;
  for await (const notice of following) return notice;
  return null;
}

describe('a notice that offers a restart', () => {
  test('offers it to a page that may restart the core', async () => {
    expect(await firstNotice(async () => undefined)).toMatchObject({ key: 'updated', offers: 'restart' });
  });

  test('does not offer it to another window, such as a desktop window that joined', async () => {
    expect(await firstNotice()).toMatchObject({ key: 'updated', offers: undefined });
  });
});
