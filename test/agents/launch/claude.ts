import { anthropic } from '../scriptedModel/anthropic.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

const KEY = 'sk-ant-dummy-0123456789-0123456789-0123456789';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'Bash', input: { command: use.command, description: 'Run a command' } };
    case 'read':
      return { name: 'Read', input: { file_path: use.path } };
    case 'write':
      return { name: 'Write', input: { file_path: use.path, content: use.content } };
    case 'edit':
      return { name: 'Edit', input: { file_path: use.path, old_string: use.find, new_string: use.replace } };
  }
};

export const claude: RigAgent = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  protocol: anthropic,
  nameTool,
  variants: {
    default: { command: 'claude' },
    classic: { command: 'claude', env: { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1' }, denied: 'interrupted' },
  },
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1',
  }),
  seed({ home, project }) {
    writeSeed(home, '.claude.json', {
      hasCompletedOnboarding: true,
      theme: 'dark',
      hasSeenAutoDefaultNudge: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
    writeSeed(home, '.claude/settings.json', { permissions: { defaultMode: 'default' } });
  },
  ready: '^❯.*\\n─+$',
  older: [{ before: '2.1.54', ready: '^[>❯].*\\n─+$' }],
  busy: 'esc to interrupt',
  dialog: 'Do you want to',
  allow: '1',
  deny: '\x1b',
  interrupted: 'Interrupted',
  showsFailures: false,
  exit: { line: '/exit' },
  resumes: '--continue',
  resumeId: /claude.*--resume ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/,
  clear: { line: '/clear' },
  compact: { line: '/compact' },
  help: { line: '/help' },
  closeHelp: '\x1b',
  // the last alternative is all that a window of 40 columns and 30 rows shows
  helped: '[Ee]sc to (cancel|close)|Help +General +Commands',
  compacted: 'Compacted|compacted',
};
