import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readWorkflows } from '../../src-main/savedCommands/readWorkflows.ts';

const WORKFLOW = `---
name: Follow the log of a pod
command: |-
  kubectl logs -f {{pod}} \\
    --since {{since}}
tags:
  - kubernetes
description: "Prints the log of a pod
  as it grows."
arguments:
  - name: pod
    description: Name of the pod
    default_value: ~
  - name: since
    description: How far back
    default_value: 10m
source_url: "https://example.com"
author: someone
author_url: "https://example.com/someone"
shells: []
`;

test('a workflow of Warp becomes a saved command with its placeholders', () => {
  expect(readWorkflows('log.yaml', WORKFLOW)).toEqual([
    {
      name: 'Follow the log of a pod',
      command: 'kubectl logs -f {{pod}} \\\n  --since {{since}}',
      description: 'Prints the log of a pod as it grows.',
      tags: ['kubernetes'],
      arguments: [
        { name: 'pod', description: 'Name of the pod' },
        { name: 'since', description: 'How far back', default: '10m' },
      ],
    },
  ]);
});

test('every document of a YAML file is read', () => {
  const two = 'name: a\ncommand: ls\n---\nname: b\ncommand: pwd\nshells: [Zsh]\n';
  expect(readWorkflows('two.yml', two)).toEqual([
    { name: 'a', command: 'ls' },
    { name: 'b', command: 'pwd', shells: ['zsh'] },
  ]);
});

test('a number or a boolean in the place of a text is that text', () => {
  const [command] = readWorkflows(
    'n.yaml',
    'name: 7\ncommand: sleep {{n}}\narguments: [{name: n, default_value: 5}]\n',
  );
  expect(command).toMatchObject({ name: '7', arguments: [{ name: 'n', default: '5' }] });
});

test.each([
  ['malformed YAML', 'a.yaml', 'name: "x\ncommand: [', /^The YAML is malformed in line \d+: /],
  ['a missing command', 'a.yaml', 'name: x\n', /^command: /],
  ['a list', 'a.yaml', '- a\n- b\n', /^The file has no keys\./],
  ['nothing', 'a.yaml', '\n', /^The file has no workflow\./],
  ['aliases', 'a.yaml', 'name: &n x\ncommand: *n\n', /^The YAML has aliases/],
  ['a control character', 'a.yaml', 'name: x\ncommand: "a\\u001bb"\n', /^command: control characters/],
  ['a blank command', 'a.yaml', 'name: x\ncommand: "  "\n', /^command: a command is not only blanks/],
  ['binary', 'a.yaml', 'name: \0', /^The file is not text\./],
  ['too much', 'a.yaml', `name: x\ncommand: ${'y'.repeat(300_000)}\n`, /^The file is larger than 256 KB/],
  ['malformed JSON', 'a.json', '{"commands": [', /^The JSON is malformed: /],
  [
    'a name twice',
    'a.json',
    '{"commands":[{"name":"a","command":"b"},{"name":"a","command":"c"}]}',
    /"a" is there twice/,
  ],
])('%s is refused with the reason', (_, name, text, reason) => {
  expect(() => readWorkflows(name, text)).toThrow(reason);
});

test('a command comes out of the YAML exactly as it went in', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\p{Cc}\p{Cs}\uFEFF]/u.test(text));
  const command = fc
    .array(line, { minLength: 1, maxLength: 4 })
    .map((lines) => lines.join('\n'))
    .filter((text) => text.trim() !== '' && !text.endsWith('\n'));
  fc.assert(
    fc.property(command, (text) => {
      const [read] = readWorkflows('x.yaml', stringify({ name: 'x', command: text }));
      expect(read?.command).toBe(text);
    }),
  );
});
