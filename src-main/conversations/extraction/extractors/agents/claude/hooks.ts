import { asString, type Fields } from '../../../reconcile/jsonFields.ts';
import type { HookSignal, HookSource } from '../../../status/HookSource.ts';
import { callPiece, hookEvidence, hookSignal, resultPiece, toolLine } from '../../../status/hookFields.ts';

/** Claude Code's hooks, recorded with 2.1.329. */
export const claudeHooks: HookSource = {
  agent: 'claude',
  settingsFile: (home, env) => `${env.CLAUDE_CONFIG_DIR ?? `${home}/.claude`}/settings.json`,
  events: [
    { name: 'SessionStart' },
    { name: 'UserPromptSubmit' },
    { name: 'PreToolUse' },
    { name: 'PermissionRequest' },
    { name: 'PostToolUse' },
    { name: 'PreCompact' },
    { name: 'Stop' },
    { name: 'SessionEnd' },
    { name: 'MessageDisplay', isStream: true },
  ],
  timeout: 5,
  remark: null,
  read,
};

function read(event: string, payload: Fields): HookSignal {
  const reason = asString(payload.reason) ?? '';
  const on = (state: Parameters<typeof hookEvidence>[0], line = '') => hookEvidence(state, event, line);
  switch (event) {
    case 'SessionStart':
      return hookSignal(payload, payload.source === 'compact' ? null : on('starting', asString(payload.source) ?? ''));
    case 'UserPromptSubmit': {
      const text = asString(payload.prompt) ?? '';
      return hookSignal(payload, on('working', text), { type: 'prompt', text });
    }
    case 'PreToolUse': {
      const isQuestion = payload.tool_name === 'AskUserQuestion' || payload.tool_name === 'ExitPlanMode';
      const state = isQuestion ? 'needs_input' : 'working';
      return hookSignal(payload, on(state, toolLine(payload)), callPiece(payload));
    }
    case 'PermissionRequest':
      return hookSignal(payload, on('needs_approval', toolLine(payload)));
    case 'PostToolUse':
      return hookSignal(payload, on('working', toolLine(payload)), resultPiece(payload, payload.tool_response));
    case 'PreCompact':
      return hookSignal(payload, on('working', asString(payload.trigger) ?? ''));
    case 'Stop': {
      const text = asString(payload.last_assistant_message) ?? '';
      return hookSignal(payload, on('idle', text), text === '' ? null : { type: 'said', text });
    }
    case 'SessionEnd':
      // /clear and /resume end a session, not the program
      return hookSignal(payload, /clear|resume/.test(reason) ? null : on('exited', reason));
    case 'MessageDisplay':
      return hookSignal(payload, on('working'), {
        type: 'delta',
        id: asString(payload.message_id) ?? '',
        index: typeof payload.index === 'number' ? payload.index : 0,
        text: asString(payload.delta) ?? '',
      });
    default:
      return hookSignal(payload, null); // an event that later versions add
  }
}
