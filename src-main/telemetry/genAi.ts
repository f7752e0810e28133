/**
 * Names of the OpenTelemetry conventions that spans use. The GenAI conventions are in development. The names come from
 * github.com/open-telemetry/semantic-conventions-genai, model/gen-ai, in November 2026, and are the same as in semantic-conventions v1.41. A test
 * compares them with that registry.
 */
export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  agentVersion: 'gen_ai.agent.version',
  conversation: 'gen_ai.conversation.id',
  toolName: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  error: 'error.type',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  input: 'gen_ai.input.messages',
  output: 'gen_ai.output.messages',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const;

/** Attributes with texts of a conversation. They are sent only while `telemetry.content` is on. */
export const CONTENT: ReadonlySet<string> = new Set([
  ATTRIBUTE.input,
  ATTRIBUTE.output,
  ATTRIBUTE.toolArguments,
  ATTRIBUTE.toolResult,
]);

export const OPERATION = { turn: 'invoke_agent', tool: 'execute_tool' } as const;
