import type { Settings } from '../../../src-main/contract/settings.ts';
import type { TerminalView } from '../../../src-main/contract/terminal.ts';
import type { Rpc } from '../../../src-renderer/rpc/Rpc.ts';

/** Every call in order, as `terminal.paste` and its input. */
export type Calls = [name: string, input: unknown][];

type Answers = Readonly<Record<string, (input: never) => unknown>>;

/**
 * An Rpc that records its calls. `answers` gives the results (or throws); other calls resolve to undefined, and other subscriptions
 * (`on…`, `stream`) do nothing.
 */
export function fakeRpc(answers: Answers = {}): { rpc: Rpc; calls: Calls } {
  const calls: Calls = [];
  const call = (name: string) => (input: never, listen?: never) => {
    const isSubscription = /(^|\.)(on[A-Z]\w*|stream)$/.test(name);
    if (isSubscription) return answers[name]?.((listen ?? input) as never) ?? (() => undefined);
    calls.push([name, input]);
    return Promise.resolve().then(() => answers[name]?.(input));
  };
  const noun = (path: string) => new Proxy({}, { get: (_, verb) => call(`${path}.${String(verb)}`) });
  const rpc = new Proxy({}, { get: (_, name) => (name === 'onLink' ? call('onLink') : noun(String(name))) });
  return { rpc: rpc as Rpc, calls };
}

export function terminalView(change: Partial<TerminalView> & { id: string }): TerminalView {
  return {
    shell: 'sh-like',
    name: null,
    title: '',
    cwd: '/home/ada/src',
    gitBranch: null,
    cols: 80,
    rows: 24,
    createdMs: 0,
    state: 'live',
    exitCode: null,
    signal: null,
    quality: { level: 'rich', reason: '', fix: null },
    atPrompt: true,
    runningBlockId: null,
    keyTaker: null,
    lastExitCode: null,
    altScreen: false,
    recordFault: null,
    bell: false,
    failure: null,
    progress: null,
    notification: null,
    agent: null,
    ...change,
  };
}

export const usualSettings: Settings = {
  version: 1,
  theme: 'system',
  'theme.dark': 'ink',
  'theme.light': 'paper',
  tabs: 'side',
  'cards.density': 'comfortable',
  'window.clock': '24',
  'window.welcomed': true,
  'past.import': 'never',
  'past.continue': 'never',
  'terminal.fontWeight': 400,
  'terminal.ligatures': false,
  'tabs.groups': true,
  'tabs.widthPx': 232,
  'terminal.fontFamily': 'IBM Plex Mono',
  'terminal.fontSizePx': 12.5,
  'terminal.scrollbackLines': 10_000,
  'terminal.lineHeight': 1.5,
  'terminal.cursorShape': 'bar',
  'terminal.cursorBlink': false,
  'terminal.minimumContrast': 4.5,
  'terminal.copyOnSelect': false,
  'terminal.optionAsMeta': true,
  'window.textScale': 100,
  'prompt.mode': 'composer',
  'telemetry.enabled': false,
  'telemetry.content': false,
  'telemetry.endpoint': '',
  'telemetry.encoding': 'protobuf',
  'telemetry.allowPlain': false,
  'telemetry.serviceName': 'hansard',
  'telemetry.hostName': false,
  'telemetry.queueBytes': 64 * 1024 ** 2,
  'composer.suggest': true,
  'composer.ghost': true,
  'composer.keys': 'default',
  'shell.default': '',
  'editor.command': '',
  'quit.whileRunning': 'ask',
  'desktop.tray': false,
  'desktop.globalShortcut': '',
  'update.feed': '',
  'retention.days': 0,
  'retention.daysChosen': false,
  'retention.bytes': 10 * 1024 ** 3,
  'notify.longCommandMs': 30_000,
  'notify.agentWaits': true,
  'notify.commands': true,
  'notify.programs': true,
  'notify.agentDone': true,
  'agents.sweep': true,
  'agents.changes': true,
  'agents.ownLog': true,
  'mcp.http': false,
  'mcp.httpPort': 0,
  'conversation.face': 'serif',
  'conversation.widthPx': 436,
  'conversation.show': 'auto',
  keys: {},
};
