import { gemini as protocol } from '../scriptedModel/gemini.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'run_shell_command', input: { command: use.command } };
    case 'read':
      return { name: 'read_file', input: { file_path: use.path } };
    case 'write':
      return { name: 'write_file', input: { file_path: use.path, content: use.content } };
    case 'edit':
      return {
        name: 'replace',
        input: { file_path: use.path, instruction: 'Change it', old_string: use.find, new_string: use.replace },
      };
  }
};

export const gemini: RigAgent = {
  name: 'gemini',
  package: '@google/gemini-cli',
  protocol,
  nameTool,
  variants: { default: { command: 'gemini' } },
  env: ({ url }) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
  seed({ home }) {
    writeSeed(home, '.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    });
  },
  ready: 'Type your message',
  loadsMs: 4_000,
  // A resize can leave an old "esc to cancel" above the messages, so only the frame may be between it and the input box.
  busy: 'esc to cancel[^\\n]*\\n(?:[^A-Za-z\\n]*\\n|[^\\n]*(?:shortcut|Shift\\+Tab)[^\\n]*\\n|\\w{1,8}\\s*\\n)*[^\\n]*Type your message',
  dialog: 'Allow execution|Apply this change',
  allow: '\r',
  deny: '\x1b',
  interrupted: 'Request cancelled',
  showsFailures: false,
  exit: { line: '/quit' },
  resumes: '--resume latest',
  resumeId: /gemini --resume ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/,
  clear: { line: '/clear' },
  compact: { line: '/compress' },
  help: { line: '/help' },
  helped: 'Keyboard Shortcuts|Basics|full list of shortcuts',
  compacted: 'compressed|Compress|compression|Nothing to compress',
};
