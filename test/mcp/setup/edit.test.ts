import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonEntry, removeJsonEntry, setJsonEntry } from '../../../src-main/mcp/setup/editJson.ts';
import { readTomlEntry, removeTomlEntry, setTomlEntry } from '../../../src-main/mcp/setup/editToml.ts';
import { parseToml } from '../../../src-main/mcp/setup/toml.ts';
import { parseJsonc } from '../../../src-main/util/parseJsonc.ts';
import { jsonConfig, tomlConfig } from './configs.ts';

const PLACE = { servers: 'mcpServers', name: 'hansard' };
const ENTRY = { command: '/opt/a b/"node"', args: ['/x/hansard.mjs', 'mcp', 'C:\\t'] };
/** Comments from configs.ts in a text. */
const comments = (text: string): string[] =>
  [...text.matchAll(/\/\/ [[{] "note",|\/\* } \*\//g)].map(([found]) => found).sort();
/** The parsed document without our entry and without an empty table of servers. */
const others = (text: string): unknown => {
  const parsed = parseJsonc(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { mcpServers = {}, ...rest } = parsed.root.value as Record<string, Record<string, unknown>>;
  const { hansard: _, ...servers } = mcpServers;
  return { ...rest, ...(Object.keys(servers).length > 0 && { mcpServers: servers }) };
};

describe('an entry in JSON', () => {
  test('is there afterwards, and nothing else is changed, comments neither', () => {
    fc.assert(
      fc.property(jsonConfig, (text) => {
        const set = setJsonEntry(text, PLACE, ENTRY);
        expect(readJsonEntry(set, PLACE)).toEqual(ENTRY);
        expect([others(set), comments(set)]).toEqual([others(text), comments(text)]);
        expect(setJsonEntry(set, PLACE, ENTRY)).toBe(set);
      }),
    );
  });

  test('can be taken out again: the rest says what it said before', () => {
    fc.assert(
      fc.property(jsonConfig, fc.boolean(), (text, alsoTable) => {
        const out = removeJsonEntry(setJsonEntry(text, PLACE, ENTRY), PLACE, alsoTable);
        expect(readJsonEntry(out, PLACE)).toBeUndefined();
        expect([others(out), comments(out)]).toEqual([others(text), comments(text)]);
      }),
    );
  });

  test('that is another one is replaced where it stands', () => {
    fc.assert(
      fc.property(jsonConfig, (text) => {
        const first = setJsonEntry(text, PLACE, { command: 'old', args: [], trust: true });
        expect(readJsonEntry(setJsonEntry(first, PLACE, ENTRY), PLACE)).toEqual(ENTRY);
      }),
    );
  });

  test('looks as the rest of the file does', () => {
    expect(setJsonEntry('{\n\t"a": 1 // one\n}\n', PLACE, { command: 'c' })).toBe(
      '{\n\t"a": 1, // one\n\t"mcpServers": {\n\t\t"hansard": {\n\t\t\t"command": "c"\n\t\t}\n\t}\n}\n',
    );
    expect(setJsonEntry('{"mcpServers":{"x":{}}}', PLACE, { command: 'c' })).toBe(
      '{"mcpServers":{"x":{},"hansard":{"command":"c"}}}',
    );
    expect(setJsonEntry('', PLACE, { command: 'c' })).toBe(
      '{\n  "mcpServers": {\n    "hansard": {\n      "command": "c"\n    }\n  }\n}\n',
    );
  });

  test.each([
    ['{"a": 1,\n "b": }', 'a value is expected at line 2, column 7'],
    ['{"a": 1\n', 'a comma or } is expected at line 2, column 1'],
    ['{"a": "x\n"}', 'a string does not end at line 1, column 7'],
    ['[1]', 'the file is no object at line 1, column 1'],
    ['{"mcpServers": []}', '"mcpServers" is no object at line 1, column 16'],
    ['{} {}', 'something stands behind the end of the JSON at line 1, column 4'],
  ])('is refused to %j with the place', (text, reason) => {
    expect(() => setJsonEntry(text, PLACE, ENTRY)).toThrow(reason);
  });

  test('a string of five megabytes and ten thousand nested lists are no obstacle', () => {
    const text = JSON.stringify({ long: 'x'.repeat(5_000_000) });
    expect(readJsonEntry(setJsonEntry(text, PLACE, ENTRY), PLACE)).toEqual(ENTRY);
    expect(() => setJsonEntry('['.repeat(10_000), PLACE, ENTRY)).toThrow(/nests too deep at line 1/);
  });
});

const TOML_PLACE = { servers: 'mcp_servers', name: 'hansard' };
const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

describe('a table in TOML', () => {
  test('stands at the end, the rest to the byte before it', () => {
    fc.assert(
      fc.property(tomlConfig, (text) => {
        const set = setTomlEntry(text, TOML_PLACE, ENTRY);
        expect(set.startsWith(text)).toBe(true);
        expect(readTomlEntry(set, TOML_PLACE)).toEqual(ENTRY);
        expect(parseToml(set).slice(0, -3)).toEqual(parseToml(text));
        expect(setTomlEntry(set, TOML_PLACE, ENTRY)).toBe(set);
      }),
    );
  });

  test('can be taken out again, also when more was written behind it', () => {
    fc.assert(
      fc.property(tomlConfig, tomlConfig, (text, more) => {
        const set = `${setTomlEntry(text, TOML_PLACE, ENTRY)}[next]\n${more}`;
        expect(lines(removeTomlEntry(set, TOML_PLACE))).toEqual(lines(`${text}\n[next]\n${more}`));
      }),
    );
  });

  test('is changed where it stands, and what a person added to it stays', () => {
    const text =
      '[mcp_servers.hansard] # mine\nargs = ["old"]\nenabled = true\ncommand = "old"\n[mcp_servers.hansard.env]\nA = "1"\n';
    expect(setTomlEntry(text, TOML_PLACE, { command: 'c', args: ['a'] })).toBe(
      '[mcp_servers.hansard] # mine\nargs = ["a"]\nenabled = true\ncommand = "c"\n[mcp_servers.hansard.env]\nA = "1"\n',
    );
    expect(removeTomlEntry(text, TOML_PLACE)).toBe('');
  });

  test.each([
    ['a = 1\nb = ', 'a value is expected at line 2, column 5'],
    ['a = "x', 'a value is expected at line 1, column 5'],
    ['[a\nb = 1', '] is expected at line 1, column 3'],
    ['a = 1 b = 2', 'the end of the line is expected at line 1, column 7'],
    ['mcp_servers = { x = {} }', 'mcp_servers is written in a form that is not edited here at line 1, column 1'],
    ['x = 1\nmcp_servers.hansard.command = "x"', 'is written in a form that is not edited here at line 2, column 1'],
    ['[[mcp_servers]]', 'mcp_servers is written in a form that is not edited here at line 1, column 1'],
  ])('is refused to %j with the place', (text, reason) => {
    expect(() => setTomlEntry(text, TOML_PLACE, ENTRY)).toThrow(reason);
  });
});
