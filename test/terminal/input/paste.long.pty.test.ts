import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { runCommand, TestCore } from '../../support/TestCore.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/security/paste-inputs.jsonl');
const rows = readFileSync(FIXTURE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; text_b64: string })
  .map(({ id, text_b64 }) => [id, Buffer.from(text_b64, 'base64').toString()] as const);

/** Resolves when the shell has printed nothing for 400 ms, because only a wait can show that nothing runs. */
async function quiet(terminal: PtyInstance): Promise<void> {
  for (let size = -1; size !== terminal.rawSize; await new Promise((resolve) => setTimeout(resolve, 400)))
    size = terminal.rawSize;
}

describe.each(['bash', 'zsh', 'fish'])('a paste into %s', (shell) => {
  let test_: TestCore;

  beforeAll(async () => {
    test_ = await TestCore.start();
  });

  afterAll(() => test_.dispose());

  test.each(rows)('%s runs nothing, even when the person says yes', async (_, text) => {
    const terminal = await test_.open(shell);
    await runCommand(terminal, 'true'); // afterwards the line editor has enabled bracketed paste
    const before = terminal.book.lastSeq;
    const canary = join(test_.home, `canary-${shell}`);
    const evil = text.replaceAll('rm -rf', 'true').replaceAll('id', `touch ${canary}`);
    expect(await terminal.paste(evil, false)).toMatchObject({ pasted: false, reason: 'confirm' });
    expect(await terminal.paste(evil, true)).toEqual({ pasted: true });
    await quiet(terminal);
    expect(terminal.book.lastSeq, 'nothing has run').toBe(before);
    expect(existsSync(canary)).toBe(false);
    await test_.core.close(terminal.id, true);
  });
});
