import { openai } from '../scriptedModel/openai.ts';
import type { NameTool, OfferedTool } from '../scriptedModel/Protocol.ts';
import type { ToolUse } from '../scriptedModel/script.ts';
import { type RigAgent, writeSeed } from './Agent.ts';

/**
 * Codex offers newer models one tool, which runs JavaScript that calls the other tools. It offers older models a shell, under several names.
 * Calls must request escalated permissions, or Codex runs commands that may be harmful in a sandbox without a permission prompt.
 */
const nameTool: NameTool = (use, offered) => {
  const named = (name: string) => offered.find((tool) => tool.name === name);
  const isEdit = use.does === 'write' || use.does === 'edit';
  const script = named('exec');
  if (script?.isFreeText) return { name: script.name, input: isEdit ? patchScript(use) : shellScript(use) };
  const shell = named('exec_command') ?? named('shell_command') ?? named('shell');
  if (!shell) throw new Error(`no shell among the tools: ${offered.map(({ name }) => name).join(', ')}`);
  const patch = `apply_patch <<'EOF'\n${patchOf(use)}\nEOF`;
  return { name: shell.name, input: isEdit ? lineFor(shell, patch) : inputFor(shell, use) };
};

const patchScript = (use: ToolUse) => `text(await tools.apply_patch(${JSON.stringify(patchOf(use))}));`;

const shellScript = (use: ToolUse) =>
  `const done = await tools.exec_command(${JSON.stringify(inputFor(EXEC_COMMAND, use))});\ntext(done.output);`;

const EXEC_COMMAND = { name: 'exec_command', args: ['cmd', 'sandbox_permissions'] };

function inputFor(shell: Pick<OfferedTool, 'name' | 'args'>, use: ToolUse): object {
  if (use.does === 'read') return lineFor(shell, `cat ${use.path}`);
  if (use.does !== 'shell') throw new Error(`not for the shell: ${use.does}`);
  const asks = shell.args.includes('sandbox_permissions')
    ? { sandbox_permissions: 'require_escalated' }
    : { with_escalated_permissions: true };
  return { ...lineFor(shell, use.command), ...asks, justification: 'May I run this command?' };
}

function lineFor({ name, args }: Pick<OfferedTool, 'name' | 'args'>, line: string): object {
  if (name === 'shell') return { command: ['bash', '-c', line] };
  return args.includes('cmd') ? { cmd: line } : { command: line };
}

function patchOf(use: ToolUse): string {
  const lines = (text: string, sign: string) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => sign + line);
  const body =
    use.does === 'write'
      ? [`*** Add File: ${use.path}`, ...lines(use.content, '+')]
      : use.does === 'edit'
        ? [`*** Update File: ${use.path}`, '@@', ...lines(use.find, '-'), ...lines(use.replace, '+')]
        : [];
  return ['*** Begin Patch', ...body, '*** End Patch'].join('\n');
}

export const codex: RigAgent = {
  name: 'codex',
  package: '@openai/codex',
  protocol: openai,
  nameTool,
  variants: { default: { command: 'codex' }, inline: { command: 'codex --no-alt-screen' } },
  env: () => ({ RIG_KEY: 'dummy' }),
  seed({ home, project, url }) {
    const config = [
      'model_provider = "mock"',
      'approval_policy = "on-request"',
      'sandbox_mode = "read-only"',
      'check_for_update_on_startup = false',
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "RIG_KEY"',
      '[analytics]',
      'enabled = false',
      `[projects."${project}"]`,
      'trust_level = "trusted"',
    ];
    writeSeed(home, '.codex/config.toml', `${config.join('\n')}\n`);
  },
  ready: 'for shortcuts',
  older: [
    { before: '0.100.0', ready: 'context left' },
    { before: '0.169.0', asksFirst: { shows: 'Use existing model', keys: '2' } },
    { before: '0.171.0', ready: ' · /' },
  ],
  busy: 'esc to interrupt',
  dialog: 'Would you like to',
  allow: 'y',
  deny: '\x1b',
  interrupted: 'interrupted',
  showsFailures: true,
  exit: { line: '/quit' },
  resumes: 'resume --last',
  resumeId: /codex resume ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/,
  isCutByQueue: true,
  clear: { line: '/clear' },
  compact: { line: '/compact' },
  compacted: 'ompact',
  returnAfterMs: 200,
};
