import { asFields, asString, type Fields } from '../../../reconcile/jsonFields.ts';
import type { HookSignal, HookSource } from '../../../status/HookSource.ts';
import { callPiece, hookEvidence, hookSignal, resultPiece, toolLine } from '../../../status/hookFields.ts';
import { commandOutput } from './commandOutput.ts';

/** Gemini CLI's hooks, seen in 0.61. PreCompress is left out: it comes before every request, whether or not it compresses. */
export const geminiHooks: HookSource = {
  agent: 'gemini',
  settingsFile: (home, env) => `${env.GEMINI_CLI_HOME ?? home}/.gemini/settings.json`,
  events: [
    { name: 'SessionStart' },
    { name: 'BeforeAgent' },
    { name: 'BeforeTool' },
    { name: 'AfterTool' },
    { name: 'Notification' },
    { name: 'AfterAgent' },
    { name: 'SessionEnd' },
  ],
  timeout: 5000,
  entry: { name: 'hansard' },
  remark: null,
  read,
};

function read(event: string, payload: Fields): HookSignal {
  const on = (state: Parameters<typeof hookEvidence>[0], line = '') => hookEvidence(state, event, line);
  switch (event) {
    case 'SessionStart':
      return hookSignal(payload, on('starting', asString(payload.source) ?? ''));
    case 'BeforeAgent': {
      const text = asString(payload.prompt) ?? '';
      return hookSignal(payload, on('working', text), { type: 'prompt', text });
    }
    case 'BeforeTool':
      return hookSignal(payload, on('working', toolLine(payload)), callPiece(payload));
    case 'AfterTool': {
      const piece = resultPiece(payload, payload.tool_response);
      return hookSignal(payload, on('working', toolLine(payload)), { ...piece, output: commandOutput(piece.output) });
    }
    case 'Notification': {
      const line = asString(payload.message) ?? asString(asFields(payload.details)?.title) ?? '';
      return hookSignal(payload, payload.notification_type === 'ToolPermission' ? on('needs_approval', line) : null);
    }
    case 'AfterAgent': // its text joins all messages of the turn, so it is not one of them
      return hookSignal(payload, on('idle', asString(payload.prompt_response) ?? ''));
    case 'SessionEnd':
      return hookSignal(payload, payload.reason === 'clear' ? null : on('exited', asString(payload.reason) ?? ''));
    default:
      return hookSignal(payload, null); // an event that later versions add
  }
}
