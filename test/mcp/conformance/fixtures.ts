// Tools, resources and prompts that the conformance suite expects of a server. The product has none of them.
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { INPUT_TOOLS } from './inputFixtures.ts';

/** One call of a fixture; `announce` notifies streams that a list has changed. */
export interface FixtureCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly ctx: ServerContext;
  readonly announce: (kind: 'tools_list_changed' | 'prompts_list_changed') => void;
}

/** Returns a result of the protocol, whose fields depend on the tool. */
export type FixtureTool = (call: FixtureCall) => unknown;

/** A PNG of one pixel, and a WAV of two silent samples. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const image = { type: 'image', data: IMAGE, mimeType: 'image/png' } as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
export const say = (said: string): CallToolResult => ({ content: [text(said)] });
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const PLAIN_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: () => say('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      { type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'embedded' } },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{}' },
      },
    ],
  }),
  test_error_handling: () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  json_schema_2020_12_tool: ({ args }) => say(JSON.stringify(args)),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
};

const TELLING_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_tool_with_logging: async ({ ctx }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await pause();
    }
    return say('logged');
  },
  test_logging_tool: async ({ ctx }) => {
    await ctx.mcpReq.log('info', 'only for those who asked'); // the SDK sends it only to clients that asked
    return say('logged, where that was asked for');
  },
  test_tool_with_progress: async ({ ctx }) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await pause();
    }
    return say(String(progressToken));
  },
  test_trigger_tool_change: ({ announce }) => {
    announce('tools_list_changed');
    return say('announced');
  },
  test_trigger_prompt_change: ({ announce }) => {
    announce('prompts_list_changed');
    return say('announced');
  },
};

const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('value1', 'value2', 'value3') } },
};
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const USER = { username: { type: 'string' }, email: { type: 'string' } };

/** Tools of the 2025 era, where the server sends requests to the client during a call. */
const ASKING_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_sampling: async ({ args, ctx }) => {
    const messages = [{ role: 'user' as const, content: text(String(args.prompt)) }];
    return say(
      `LLM response: ${JSON.stringify((await ctx.mcpReq.requestSampling({ messages, maxTokens: 100 })).content)}`,
    );
  },
  test_elicitation: ({ args, ctx }) => elicit(ctx, String(args.message), USER),
  test_elicitation_sep1034_defaults: ({ ctx }) => elicit(ctx, 'Please review the defaults', DEFAULTS),
  test_elicitation_sep1330_enums: ({ ctx }) => elicit(ctx, 'Please choose', ENUMS),
};

async function elicit(ctx: ServerContext, message: string, properties: object): Promise<CallToolResult> {
  const requestedSchema = { type: 'object', properties, required: [] } as never;
  const { action, content } = await ctx.mcpReq.elicitInput({ message, requestedSchema });
  return say(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

function titled(...values: string[]): { const: string; title: string }[] {
  return values.map((value) => ({ const: value, title: `Title of ${value}` }));
}

export const TOOLS: Readonly<Record<string, FixtureTool>> = {
  ...PLAIN_TOOLS,
  ...TELLING_TOOLS,
  ...ASKING_TOOLS,
  ...INPUT_TOOLS,
};

/** Input schemas of tools that need more than "an object". The list must contain them unchanged. */
export const SCHEMAS: Readonly<Record<string, object>> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } } },
    properties: { address: { $ref: '#/$defs/address' }, phone: { type: 'string' }, email: { type: 'string' } },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { required: ['address'] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

export const RESOURCES: Readonly<Record<string, object>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: IMAGE },
  'test://watched-resource': { mimeType: 'text/plain', text: 'watched' },
};

/** `test://template/{id}/data`, for any id. */
export function fromTemplate(uri: string): object | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  return id === undefined
    ? undefined
    : { mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) };
}

export type FixturePrompt = (args: Readonly<Record<string, string>>) => unknown;

const user = (content: object): object => ({ role: 'user', content });

export const PROMPTS: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: () => ({ messages: [user(text('This is a simple prompt for testing.'))] }),
  test_prompt_with_arguments: ({ arg1, arg2 }) => ({ messages: [user(text(`arg1='${arg1}', arg2='${arg2}'`))] }),
  test_prompt_with_embedded_resource: ({ resourceUri: uri }) => ({
    messages: [
      user({
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
    ],
  }),
  test_prompt_with_image: () => ({ messages: [user(image), user(text('Please analyze the image above.'))] }),
};

/** Prompt → names of its arguments. */
export const PROMPT_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};
