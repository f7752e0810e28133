import fc, { type Arbitrary } from 'fast-check';

/** As much of JSON Schema as inputs of tools use. */
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

/** Longest string and list that is drawn: what is longer takes another way only at its caps, which `beside` crosses. */
const MAX_DRAWN = 40;
/** Waits end soon, whatever is drawn. */
const MAX_WAIT_MS = 60;
const WAIT = /_ms$|^timeout/;

/** Inputs that the schema allows. `known` are values worth drawing for a property, besides what the schema says: ids that exist. */
export function fromSchema(schema: InputSchema, known: (name: string) => readonly unknown[]): Arbitrary<unknown> {
  return drawnFor('', schema, known);
}

/** Inputs that are an object, but most likely not what the schema wants. */
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
  // a wait that is left out has its default, which is half a minute
  return fc.record(values, {
    requiredKeys: [...required, ...Object.keys(properties).filter((name) => WAIT.test(name))],
  });
}

function textOf({ pattern, minLength = 0, maxLength = MAX_DRAWN }: InputSchema): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(MAX_DRAWN, minLength)), unit: 'binary' });
}

/** What can be sent: no undefined, no functions, no cycles. */
function asJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
