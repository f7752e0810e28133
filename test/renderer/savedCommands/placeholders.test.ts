import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapeTemplate,
  fillCommand,
  parseTemplate,
  placeholderNames,
} from '../../../src-renderer/savedCommands/placeholders.ts';

const braceful = fc.string({
  unit: fc.constantFrom('{', '}', '{{', '}}', 'a', 'name', ':', '-', '1', ' ', '.', '$', '\\', '\n', 'é'),
  maxLength: 30,
});

test('any text comes back exactly from its saved form', () => {
  fc.assert(
    fc.property(fc.oneof(braceful, fc.string({ unit: 'grapheme' })), (text) => {
      expect(fillCommand({ name: 'x', command: escapeTemplate(text) })).toEqual({ text, fields: [] });
    }),
  );
});

test('the pieces of any command are its whole text, and each field is where its text is', () => {
  fc.assert(
    fc.property(braceful, (command) => {
      const { text, fields } = fillCommand({ name: 'x', command });
      const whole = parseTemplate(command)
        .map((piece) => ('text' in piece ? piece.text : null))
        .filter((piece) => piece !== null)
        .join('');
      const places = fields.flatMap(({ ranges }) => ranges).sort((a, b) => b.from - a.from);
      let left = text;
      for (const { from, to } of places) left = left.slice(0, from) + left.slice(to);
      expect(left).toBe(whole);
      for (const { name, ranges, isOpen } of fields)
        for (const { from, to } of ranges) if (isOpen) expect(text.slice(from, to)).toBe(`{{${name}}}`);
    }),
  );
});

test.each([
  ['ssh {{host}}', 'ssh {{host}}', ['host']],
  ['ssh {{user:root}}@{{host}}', 'ssh root@{{host}}', ['user', 'host']],
  ['cp {{f:a b}} {{f}}.bak', 'cp a b a b.bak', ['f']],
  ['echo {{url:http://x:1/y}}', 'echo http://x:1/y', ['url']],
  ['a {{x:}} b', 'a  b', ['x']],
  ["docker ps --format '{{.Names}}'", "docker ps --format '{{.Names}}'", []],
  ['{{ x }} {x} {{{x}}} {{x}}}', '{{ x }} {x} {{{x}}} {{x}}}', []],
  ['{{{{x}}}}', '{{x}}', []],
  ['cd C:\\{{folder}}', 'cd C:\\{{folder}}', ['folder']],
  ['echo {{a,b},c}', 'echo {{a,b},c}', []],
])('%s fills in as %s', (command, text, names) => {
  expect(fillCommand({ name: 'x', command }).text).toBe(text);
  expect(placeholderNames(command)).toEqual(names);
});

test('a default of the text comes before the one of the list, which describes the field', () => {
  const described = [{ name: 'n', description: 'How many', default: '5' }];
  expect(fillCommand({ name: 'x', command: 'head -{{n}}', arguments: described })).toEqual({
    text: 'head -5',
    fields: [{ name: 'n', description: 'How many', ranges: [{ from: 6, to: 7 }], isOpen: false }],
  });
  expect(fillCommand({ name: 'x', command: 'head -{{n:9}}', arguments: described }).text).toBe('head -9');
});
