import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { EXTRACTORS } from '../../src-main/conversations/extraction/extractors/agents/all.ts';
import { agentChoices } from '../../src-main/core/agentChoices.ts';

const folder = mkdtempSync(join(tmpdir(), 'hansard-agents-'));
const [bin, other] = [join(folder, 'bin'), join(folder, 'other')];
for (const each of [bin, other]) mkdirSync(each);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, mode = 0o755): void {
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
}

test('the agents whose command is on the PATH are offered, in the order of the list, and no others', () => {
  put(join(other, 'claude'));
  put(join(bin, 'goose'));
  put(join(bin, 'codex'), 0o644); // not executable
  mkdirSync(join(bin, 'gemini')); // a folder
  expect(agentChoices(EXTRACTORS, [bin, 'relative', '', other].join(delimiter), 'linux')).toEqual([
    { name: 'claude', label: 'Claude Code', command: 'claude' },
    { name: 'goose', label: 'Goose', command: 'goose session' },
  ]);
  expect(agentChoices(EXTRACTORS, '', 'linux')).toEqual([]);
});

test('on Windows the program has an ending', () => {
  put(join(bin, 'qwen.cmd'));
  expect(agentChoices(EXTRACTORS, bin, 'win32').map(({ name }) => name)).toEqual(['qwen']);
});
