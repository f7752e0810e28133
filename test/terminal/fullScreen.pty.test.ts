import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { runCommand, TestCore, until } from '../support/TestCore.ts';

describe('programs that address the cursor', () => {
  let test_: TestCore;
  let terminal: PtyInstance;
  let folder: SessionFolder;

  beforeAll(async () => {
    test_ = await TestCore.start();
    terminal = await test_.open('bash', { cols: 60, rows: 12 });
    folder = new SessionFolder(test_.dataFolder, terminal.id);
  });

  afterAll(() => test_.dispose());

  /** Resolves with the block's text once it is rendered. */
  async function rendered(blockId: string): Promise<string> {
    await until(terminal, () => readIfThere(folder.ren(blockId)) !== null);
    const { lines } = await terminal.book.reader.lines(blockId, 0, 100);
    return lines.map(({ spans }) => spans.map(({ text }) => text).join('')).join('\n');
  }

  test('leave the picture that was last on the alternate screen', async () => {
    const block = await runCommand(terminal, "printf '\\e[?1049h\\e[2J\\e[3;5Htitle\\e[5;1Hlast line\\e[?1049l'");
    expect(block).toMatchObject({ usedAltScreen: true, exitCode: 0 });
    expect(await rendered(block.id)).toBe('\n\n    title\n\nlast line');
  });

  test('leave what stood at the end, when they painted over their own lines', async () => {
    const block = await runCommand(terminal, "printf 'one\\ntwo\\nthree\\n\\e[2A\\e[2KTWO\\e[2B\\r'; echo done");
    expect(await rendered(block.id)).toBe('one\nTWO\nthree\ndone');
  });

  test('that address rows of the screen get no empty lines for what was above them', async () => {
    await runCommand(terminal, 'seq 1 5');
    const row = "$(IFS='[;' read -rsdR -p $'\\e[6n' _ r _; echo $r)";
    const block = await runCommand(terminal, `r=${row}; printf "first\\n\\e[$((r+1));1Hsecond\\n"`);
    expect(await rendered(block.id)).toBe('first\nsecond');
  });
});

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // not rendered yet
  }
}
