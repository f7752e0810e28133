import { describe, expect, test } from 'vitest';
import { EXTRACTORS } from '../../../../src-main/conversations/extraction/extractors/agents/all.ts';
import { ExtractorFactory } from '../../../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

const started = (line: string) =>
  EXTRACTORS.filter(({ isProgram }) => isProgram?.(line.split(' '))).map(({ name }) => name);

describe('which agent a command line starts', () => {
  test.each([
    ['claude', 'claude'],
    ['/home/u/.local/bin/claude --resume abc', 'claude'],
    ['node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'claude'],
    ['npx -y @anthropic-ai/claude-code@latest', 'claude'],
    ['sudo -u dev env FOO=bar claude', 'claude'],
    ['codex --no-alt-screen', 'codex'],
    ['node /usr/local/bin/codex.js resume 1', 'codex'],
    ['npm exec -- @openai/codex', 'codex'],
    ['gemini --yolo', 'gemini'],
    ['node --max-old-space-size=4096 /opt/node_modules/@google/gemini-cli/bundle/gemini.js', 'gemini'],
    ['bunx @google/gemini-cli', 'gemini'],
    ['npx gemini', 'gemini'],
    ['pnpm exec claude', 'claude'],
    ['yarn dlx @openai/codex', 'codex'],
    ['bun /usr/local/bin/claude', 'claude'],
  ])('%s: %s', (line, name) => {
    expect(started(line)).toEqual([name]);
  });

  test.each([
    'vim codex',
    'git commit -m claude',
    'node build.js claude',
    'cat /usr/lib/node_modules/@openai/codex/README.md',
    'claude -p hello',
    'claude mcp list',
    'codex app-server --listen unix://',
    'codex exec ls',
    'gemini --prompt hello',
    'npm run claude',
    'pnpm claude',
    'node /usr/bin/yarn run --silent gemini',
    'bun run codex --yolo',
    'bash',
    '',
  ])('%s: none of them, or none with a screen', (line) => {
    expect(started(line)).toEqual([]);
  });

  test.each([
    ['crush', ['crush']],
    ['npx @sourcegraph/amp', ['amp']],
    ['npx @ampcode/cli', ['amp']],
    ['cursor-agent --resume 1', ['cursor-agent']],
    ['crush run hello', []],
    ['vim crush', []],
    ['claude', ['claude']],
  ])('%s: also an agent that nobody has described, under a label that says so', (line, names) => {
    const factory = new ExtractorFactory();
    const found = factory.programs.filter(({ isProgram }) => isProgram?.(line.split(' ')));
    expect(found.map(({ name }) => name)).toEqual(names);
    for (const { name, label, isGeneric } of found) {
      expect(label.endsWith(' (generic)')).toBe(isGeneric === true);
      expect(factory.choose(plainSnapshot('Welcome'), name).name).toBe(name);
      expect(factory.byName(name)?.label).toBe(label);
    }
  });

  test('a line given to a shell', () => {
    expect(
      EXTRACTORS.filter(({ isProgram }) => isProgram?.(['sh', '-c', 'exec claude --continue'])).map((e) => e.name),
    ).toEqual(['claude']);
  });
});
