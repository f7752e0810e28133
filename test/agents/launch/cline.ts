import { completions } from '../scriptedModel/completions.ts';
import type { NameTool } from '../scriptedModel/Protocol.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

const nameTool: NameTool = (use) => {
  switch (use.does) {
    case 'shell':
      return { name: 'run_commands', input: { commands: [use.command] } };
    case 'read':
      return { name: 'read_files', input: { files: [{ path: use.path }] } };
    case 'write':
      return { name: 'editor', input: { path: use.path, new_text: use.content } };
    case 'edit':
      return { name: 'editor', input: { path: use.path, old_text: use.find, new_text: use.replace } };
  }
};

const SETTINGS = '.cline/data/settings';
const PROVIDER = 'openai-compatible';

export const cline: RigAgent = {
  name: 'cline',
  package: 'cline',
  protocol: completions,
  nameTool,
  variants: { default: { command: 'cline --auto-approve false' } },
  env: () => ({ COLORTERM: 'truecolor' }),
  seed({ home, url }) {
    const settings = { provider: PROVIDER, apiKey: 'dummy', model: 'mock-model', baseUrl: `${url}/v1` };
    writeSeed(home, `${SETTINGS}/providers.json`, {
      version: 1,
      lastUsedProvider: PROVIDER,
      modes: {},
      providers: { [PROVIDER]: { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' } },
    });
    // notices that cover the screen at the first starts
    writeSeed(home, `${SETTINGS}/cli-notices.json`, {
      shown: { 'cline-cli-cline-pass-intro': true, 'cline-cli-desktop-launch': true },
    });
  },
  ready: '^ *❯ (?:Ask anything|What can I do)',
  loadsMs: 3_000,
  busy: '^ [\\u2800-\\u28ff] ',
  dialog: 'needs permission',
  allow: 'y',
  deny: 'n',
  goesOnDenied: true,
  interrupted: 'nterrupted|ancel',
  showsFailures: false,
  exit: { line: '/quit' },
  returnAfterMs: 1_000,
  clear: { line: '/clear' },
};
