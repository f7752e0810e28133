import { asString, type Fields } from '../../../reconcile/jsonFields.ts';
import type { HookSignal, HookSource } from '../../../status/HookSource.ts';
import { callPiece, hookEvidence, hookSignal, resultPiece, toolLine } from '../../../status/hookFields.ts';

/** Codex' hooks, seen in 0.169. */
export const codexHooks: HookSource = {
  agent: 'codex',
  settingsFile: (home, env) => `${env.CODEX_HOME ?? `${home}/.codex`}/hooks.json`,
  events: [
    { name: 'SessionStart' },
    { name: 'UserPromptSubmit' },
    { name: 'PreToolUse' },
    { name: 'PermissionRequest' },
    { name: 'PostToolUse' },
    { name: 'PreCompact' },
    { name: 'Stop' },
    { name: 'SessionEnd' },
  ],
  timeout: 5,
  remark: 'Codex runs new hooks only once they are trusted: it asks at its next start, or enter /hooks in it.',
  read,
};

function read(event: string, payload: Fields): HookSignal {
  const on = (state: Parameters<typeof hookEvidence>[0], line = '') => hookEvidence(state, event, line);
  switch (event) {
    case 'SessionStart':
      return hookSignal(payload, payload.source === 'compact' ? null : on('starting', asString(payload.source) ?? ''));
    case 'UserPromptSubmit': {
      const text = asString(payload.prompt) ?? '';
      return hookSignal(payload, on('working', text), { type: 'prompt', text });
    }
    case 'PreToolUse':
      return hookSignal(payload, on('working', toolLine(payload)), callPiece(payload));
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
    case 'SessionEnd': {
      const reason = asString(payload.reason) ?? '';
      return hookSignal(payload, reason === 'clear' ? null : on('exited', reason));
    }
    default:
      return hookSignal(payload, null); // an event that later versions add
  }
}
