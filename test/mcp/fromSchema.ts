import fc, { type Arbitrary } from 'fast-check';

/** The subset of JSON Schema that inputs of tools use. */
export interface InputSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly InputSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: InputSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly required?: readonly string[];
}

/** Maximum length of drawn strings and lists. Longer ones differ only at the caps, which `beside` exceeds. */
const MAX_DRAWN = 40;
/** Maximum for drawn timeouts, so that waits end soon. */
const MAX_WAIT_MS = 60;
const WAIT = /_ms$|^timeout/;

/** Inputs that the schema allows. `known` returns further values for a property, such as existing ids. */
export function fromSchema(schema: InputSchema, known: (name: string) => readonly unknown[]): Arbitrary<unknown> {
  return drawnFor('', schema, known);
}

/** Objects that most likely violate the schema. */
export function beside(schema: InputSchema, known: (name: string) => readonly unknown[]): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const odd = fc.oneof(
    fc.anything({ maxDepth: 2 }).map(asJson),
    fc.constantFrom(
      '',
      '\0',
      '\u202egnihtyna',
      'x'.repeat(200_000),
      '../../etc/passwd',
      '(a+)+$',
      '[',
      -1,
      1e308,
      1.5,
      null,
    ),
  );
  const wrong = fc.dictionary(fc.oneof(fc.constantFrom('pty_id', ...names), fc.string({ maxLength: 9 })), odd, {
    maxKeys: 4,
  });
  return fc.tuple(fromSchema(schema, known), wrong).map(([right, more]) => ({ ...(right as object), ...more }));
}

function drawnFor(name: string, schema: InputSchema, known: (name: string) => readonly unknown[]): Arbitrary<unknown> {
  const worth = known(name);
  const drawn = drawnOf(name, schema, known);
  return worth.length === 0 ? drawn : fc.oneof({ arbitrary: fc.constantFrom(...worth), weight: 4 }, drawn);
}

function drawnOf(name: string, schema: InputSchema, known: (name: string) => readonly unknown[]): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => drawnFor(name, one, known)));
  const { minimum = -(2 ** 31), maximum = 2 ** 31, minItems = 0, maxItems = MAX_DRAWN } = schema;
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: minimum, max: WAIT.test(name) ? Math.max(minimum, MAX_WAIT_MS) : maximum });
    case 'string':
      return textOf(schema);
    case 'array':
      return fc.array(drawnFor(name, schema.items ?? {}, known), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 5),
      });
    case 'object':
      return objectOf(schema, known);
    default:
      return fc.anything({ maxDepth: 1 }).map(asJson);
  }
}

function objectOf(
  { properties = {}, required = [] }: InputSchema,
  known: (name: string) => readonly unknown[],
): Arbitrary<unknown> {
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, drawnFor(name, one, known)]),
  );
  // always draw waits, because their default is half a minute
  return fc.record(values, {
    requiredKeys: [...required, ...Object.keys(properties).filter((name) => WAIT.test(name))],
  });
}

function textOf({ pattern, minLength = 0, maxLength = MAX_DRAWN }: InputSchema): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(MAX_DRAWN, minLength)), unit: 'binary' });
}

/** Makes a value that JSON can encode: no undefined, functions or cycles. */
function asJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
