import { anthropic } from '../scriptedModel/anthropic.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'bash', input: { command: use.command, description: 'Run a command', sync: true } };
    case 'read':
      return { name: 'view', input: { path: use.path } };
    case 'write':
      return { name: 'create', input: { path: use.path, file_text: use.content } };
    case 'edit':
      return { name: 'edit', input: { path: use.path, old_str: use.find, new_str: use.replace } };
  }
};

export const copilot: RigAgent = {
  name: 'copilot',
  package: '@github/copilot',
  protocol: anthropic,
  nameTool,
  variants: { default: { command: 'copilot' } },
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: url,
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'mock-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  seed({ home, project }) {
    writeSeed(home, '.copilot/config.json', { trusted_folders: [project], banner: 'never' });
  },
  ready: '· / c|\\bManual Approval\\b', // a narrow window cuts off the rest, or all of it
  older: [{ before: '1.0.102', ready: '/ commands · |/ c|for shortcuts', busy: 'esc interrupt|[Ee]sc to cancel' }],
  busy: 'esc interrupt',
  dialog: 'Do you want to',
  allow: '\r',
  deny: '\x1b',
  stops: 2,
  interrupted: 'cancelled|aborted|Interrupted',
  showsFailures: false,
  exit: { line: '/exit' },
  clear: { line: '/clear' },
  cleared: 'Started a fresh session',
  compact: { line: '/compact' },
  help: { line: '/help' },
  closeHelp: '\x1b',
  helped: 'esc close',
  compacted: 'Compaction completed',
};
