import fc from 'fast-check';

/** Configurations as people and programs write them: any indentation, line ends, comments, trailing commas, with or without our table. */

const name = fc.oneof(
  fc.constantFrom(
    'mcpServers',
    'other',
    'théme',
    'a.b',
    '',
    '__proto__',
    'with "quotes"',
    '// no comment',
    'x\ud83d\ude00',
  ),
  fc.string({ maxLength: 6 }),
);
const leaf = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('}', '{"a":1}', '\\', '/*'),
);
const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}));
const servers = fc.dictionary(fc.constantFrom('one', 'two', 'hansards'), value, { maxKeys: 3 });
const root = fc
  .tuple(fc.dictionary(name, value, { maxKeys: 4 }), fc.option(servers, { nil: undefined }))
  .map(([fields, table]) => {
    const { mcpServers: _, ...rest } = fields;
    return table === undefined ? rest : { ...rest, mcpServers: table };
  });

interface Look {
  unit: string;
  eol: string;
  comments: boolean;
  trailing: boolean;
  space: string;
}
const look = fc.record<Look>({
  unit: fc.constantFrom('  ', '    ', '\t', ''),
  eol: fc.constantFrom('\n', '\r\n', ' ', ''),
  comments: fc.boolean(),
  trailing: fc.boolean(),
  space: fc.constantFrom(' ', ''),
});

export const jsonConfig: fc.Arbitrary<string> = fc
  .tuple(root, look, fc.constantFrom('', '\n', '\n\n', '\r\n', '  '))
  .map(([object, how, end]) => print(object, how, '') + end);

function print(value: unknown, how: Look, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = indent + how.unit;
  const isLined = how.eol.includes('\n');
  const entries: [string, unknown][] = isList ? value.map((one) => ['', one]) : Object.entries(value);
  const [open, close] = isList ? '[]' : '{}';
  const note = how.comments && isLined ? ` // ${open} "note",` : how.comments ? '/* } */' : '';
  const lines = entries.map(([key, one], at) => {
    const text = isList ? print(one, how, inner) : `${JSON.stringify(key)}:${how.space}${print(one, how, inner)}`;
    const comma = at < entries.length - 1 || how.trailing ? ',' : '';
    return `${how.eol}${isLined ? inner : ''}${text}${comma}${at % 2 === 0 ? note : ''}`;
  });
  return `${open}${entries.length === 0 ? note : ''}${lines.join('')}${how.eol}${isLined ? indent : ''}${close}`;
}

const tomlKey = fc.constantFrom('a', 'b-c', '"d e"', "'f.g'", 'mcp', 'h.i');
const tomlValue = fc.constantFrom(
  '1',
  'true',
  '"text # no comment"',
  "'C:\\path'",
  '[1, 2]',
  '[\n  "x", # [y]\n  "z",\n]',
  '{ k = "v" }',
  '1979-05-27T07:32:00Z',
  '"""\n[mcp_servers.hansard]\n"""',
  "'''\n# ''\n'''",
  '0.5',
  '[]',
  '"\\u00e9\\n"',
);
const tomlLine = fc.oneof(
  fc.tuple(tomlKey, tomlValue).map(([key, one]) => `${key} = ${one}`),
  fc.constantFrom(
    '',
    '# comment',
    '   ',
    '[table]',
    '[mcp_servers.other]',
    '[[list]]',
    '[ mcp_servers . "third one" ] # odd',
    '[mcp_servers]',
  ),
  fc.constant('[mcp_servers.other.env]'),
);
export const tomlConfig: fc.Arbitrary<string> = fc
  .tuple(fc.array(tomlLine, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\n\n', ' \n'))
  .map(([lines, eol, end]) => (lines.join('\n') + end).replaceAll('\n', eol));
