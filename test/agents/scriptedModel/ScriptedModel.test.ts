import { expect, onTestFinished, test } from 'vitest';
import { anthropic } from './anthropic.ts';
import { ScriptedModel } from './ScriptedModel.ts';

test.each([
  ['silver saddle', ['silver saddle']],
  ['@explore silver saddle', ['@explore silver saddle', 'Call the sub-agent.']],
  ['silver saddle', ['<context>silver saddle</context>']],
])('the prompt is what the agent sent: %s', async (wanted, texts) => {
  const model = await ScriptedModel.start([anthropic], () => ({ name: 'bash', input: {} }));
  onTestFinished(() => model.stop());
  model.load({ prompt: 'silver saddle', replies: [{ text: 'Done.', pace: 'burst' }] });
  const content = texts.map((text) => ({ type: 'text', text }));
  const tools = [{ name: 'bash', input_schema: { properties: {} } }];
  const body = JSON.stringify({ messages: [{ role: 'user', content }], tools });
  await (await fetch(`${model.url}/v1/messages`, { method: 'POST', body })).text();
  expect(model.served.map(({ asked }) => asked)).toEqual([wanted]);
});
