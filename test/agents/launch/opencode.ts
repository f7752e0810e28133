import { anthropic } from '../scriptedModel/anthropic.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'bash', input: { command: use.command, description: 'Run a command' } };
    case 'read':
      return { name: 'read', input: { filePath: use.path } };
    case 'write':
      return { name: 'write', input: { filePath: use.path, content: use.content } };
    case 'edit':
      return { name: 'edit', input: { filePath: use.path, oldString: use.find, newString: use.replace } };
  }
};

export const opencode: RigAgent = {
  name: 'opencode',
  package: 'opencode-linux-x64', // `opencode-ai` depends on packages for other systems that some registries lack
  bin: 'bin',
  protocol: anthropic,
  nameTool,
  variants: { default: { command: 'opencode' } },
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  seed({ home, url }) {
    writeSeed(home, '.config/opencode/opencode.json', {
      autoupdate: false,
      share: 'disabled',
      model: 'mock/mock-model',
      small_model: 'mock/mock-model',
      permission: { bash: 'ask', edit: 'ask' },
      provider: {
        mock: {
          npm: '@ai-sdk/anthropic',
          name: 'Mock',
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { 'mock-model': { name: 'Mock Model', tool_call: true } },
        },
      },
    });
  },
  ready: 'Mock Model',
  busy: 'esc interrupt',
  dialog: 'Permission required',
  allow: '\r',
  deny: '\x1b',
  stops: 2,
  interrupted: 'interrupted',
  showsFailures: false,
  exit: { line: '/exit' },
  resumes: '--continue',
  resumeId: /opencode -s (ses_\w+)/,
  clear: { line: '/new' },
  compact: { line: '/compact' },
  help: { line: '/help' },
  closeHelp: '\x1b',
  helped: 'esc/enter',
  compacted: '▣ +Compaction · .*\\d+ms|▣ +Compaction · .*\\ds',
};
