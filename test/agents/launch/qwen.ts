import { completions } from '../scriptedModel/completions.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'run_shell_command', input: { command: use.command, is_background: false } };
    case 'read':
      return { name: 'read_file', input: { file_path: use.path } };
    case 'write':
      return { name: 'write_file', input: { file_path: use.path, content: use.content } };
    case 'edit':
      return { name: 'edit', input: { file_path: use.path, old_string: use.find, new_string: use.replace } };
  }
};

export const qwen: RigAgent = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  protocol: completions,
  nameTool,
  variants: { default: { command: 'qwen' } },
  env: ({ url }) => ({
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'mock-model',
    QWEN_TELEMETRY_ENABLED: 'false',
  }),
  seed({ home }) {
    writeSeed(home, '.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ui: { enableFollowupSuggestions: false },
      tools: { approvalMode: 'default' },
    });
  },
  ready: 'Type your message',
  loadsMs: 4_000,
  busy: 'esc to cancel',
  dialog: 'Allow execution|Apply this change|Waiting for user confirmation',
  allow: '\r',
  deny: '\x1b',
  interrupted: 'Request cancelled',
  showsFailures: false,
  exit: { line: '/quit' },
  clear: { line: '/clear' },
};
