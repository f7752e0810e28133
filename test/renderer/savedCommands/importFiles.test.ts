import { expect, test } from 'vitest';
import { MAX_IMPORTED_FILES } from '../../../src-main/contract/savedCommand.ts';
import type { SavedRpc } from '../../../src-renderer/rpc/SavedRpc.ts';
import { Saved } from '../../../src-renderer/savedCommands/Saved.svelte.ts';

test('every file of a large folder is imported, in parts that the core takes', async () => {
  const parts: number[] = [];
  const rpc = {
    list: async () => ({ commands: [], path: '', problem: null, project: null }),
    importFiles: async ({ files }: { files: { name: string }[] }) => {
      parts.push(files.length);
      return { added: files.map(({ name }) => name), replaced: [], same: [], kept: [], refused: [] };
    },
  } as unknown as SavedRpc;
  const files = Array.from({ length: 2 * MAX_IMPORTED_FILES + 1 }, (_, at) => ({ name: `${at}.yaml`, text: '' }));
  const done = await new Saved(rpc, () => null).importFiles(files, false);
  expect(done.added).toEqual(files.map(({ name }) => name));
  expect(Math.max(...parts)).toBe(MAX_IMPORTED_FILES);
});
