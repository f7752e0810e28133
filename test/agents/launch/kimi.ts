import { completions } from '../scriptedModel/completions.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import type { RigAgent } from './Agent.ts';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'Bash', input: { command: use.command } };
    case 'read':
      return { name: 'Read', input: { path: use.path } };
    case 'write':
      return { name: 'Write', input: { path: use.path, content: use.content } };
    case 'edit':
      return { name: 'Edit', input: { path: use.path, old_string: use.find, new_string: use.replace } };
  }
};

export const kimi: RigAgent = {
  name: 'kimi',
  package: '@moonshot-ai/kimi-code',
  protocol: completions,
  nameTool,
  variants: { default: { command: 'kimi' } },
  env: ({ url }) => ({
    KIMI_MODEL_NAME: 'mock-model',
    KIMI_MODEL_API_KEY: 'dummy',
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_BASE_URL: `${url}/v1`,
    KIMI_CODE_NO_AUTO_UPDATE: '1',
  }),
  seed: () => undefined,
  asksFirst: { shows: 'Trust this folder', keys: '\r' },
  ready: '^ │ >',
  busy: 'Working…|ctrl\\+c: cancel',
  dialog: 'Approve once',
  allow: '\r',
  deny: '\x1b',
  interrupted: 'nterrupted',
  showsFailures: false,
  exit: { line: '/exit' },
  clear: { line: '/clear' },
};
