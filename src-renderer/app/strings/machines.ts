import { formatTicking } from '../formatWords.ts';

/** Other machines, reached by the person's ssh. */
export const machines = {
  here: 'This computer',
  all: 'All machines',
  label: 'Machine',
  /** Above a list. */
  absent: (names: readonly string[]) => `Not connected: ${names.join(', ')}. The list may be out of date.`,
  on: (name: string) => `on ${name}`,
  notice: (name: string, text: string) => `${name}: ${text}`,
  place: (name: string, folder: string) => `${name}:${folder}`,
  /** `devbox: connected, 12 ms`. */
  head: (name: string, state: string) => `${name}: ${state}`,
  slow: { short: 'slow', long: 'Slow to answer. Keys are sent.' },
  cut: {
    short: 'cut',
    long: 'It has more than can be listed here. Its oldest terminals, agents or requests are left out.',
  },
  latency: (ms: number) => `${Math.round(ms)} ms`,

  states: {
    connecting: 'connecting…',
    connected: 'connected',
    lost: 'connection lost',
    failed: 'could not connect',
    off: 'off',
    asks: 'needs an answer',
  },
  steps: {
    ssh: 'Connecting with ssh',
    setup: 'Copying Hansard',
    start: 'Starting Hansard',
    percent: (percent: number) => `${Math.round(percent)} %`,
    short: { ssh: 'ssh…', setup: 'copying', start: 'starting…' },
  },
  reconnectsIn: (ms: number) => `reconnecting in ${formatTicking(ms)}`,
  reconnects: 'reconnecting…',
  retry: 'Retry now',
  retryNamed: (name: string) => `Retry now: ${name}`,
  answer: 'Answer',
  answerNamed: (name: string) => `Answer: ${name}`,

  actions: {
    connect: 'Connect to host…',
    newOn: (name: string) => `New terminal on ${name}`,
    connectTo: (name: string) => `Connect to ${name}`,
  },
  menu: {
    newTab: 'New tab here',
    connect: 'Connect',
    disconnect: 'Disconnect',
    forward: 'Forward a port…',
    forget: 'Forget…',
  },

  dialog: {
    title: 'Connect to host',
    filter: 'Filter hosts, or type user@host',
    hosts: 'Hosts',
    empty: 'No hosts in ~/.ssh/config. Type user@host.',
    noMatch: 'No matching host. Type user@host to connect to another one.',
    choicesFailed: 'Could not read ~/.ssh/config. Type user@host.',
    keys: '↑↓ Select · Enter Connect · Esc Close',
    connecting: (name: string) => `Connecting to ${name}`,
    progress: 'Progress',
    done: 'done',
    background: 'Continue in background',
    stop: 'Stop',
    failed: (name: string) => `Could not connect to ${name}`,
    unknownReason: 'The reason is not known. Try ssh in a terminal.',
    other: 'Another host',
  },
  question: {
    secret: (name: string) => `${name} asks`,
    confirm: (name: string) => `Trust ${name}?`,
    setup: (name: string) => `Set up Hansard on ${name}?`,
    field: 'Answer, not shown and not kept',
    notKept: 'Hansard does not keep what you type here.',
    send: 'Send',
    yes: 'Yes, continue',
    copy: 'Copy and start',
    no: 'No',
    gone: 'The question is no longer open.',
    notice: {
      secret: (name: string) => `${name} needs a password or passphrase to connect.`,
      confirm: (name: string) => `${name} needs your confirmation to connect.`,
      setup: (name: string) => `${name} needs a copy of Hansard to connect.`,
    },
  },

  forward: {
    title: (name: string) => `Forward a port of ${name}`,
    about: (name: string) => `A program on ${name} becomes reachable at a port of this computer.`,
    port: 'Port',
    confirm: 'Forward and open',
    open: 'Open',
    stop: 'Stop',
    stopNamed: (port: number) => `Stop forwarding port ${port}`,
    line: (port: number, localPort: number) => `${port} → 127.0.0.1:${localPort}`,
    failed: (reason: string) => `Port not forwarded: ${reason}`,
  },
  forget: {
    title: (name: string) => `Forget ${name}?`,
    body: (name: string) => `Hansard disconnects and removes ${name} from the list. Its record stays there.`,
    server: 'Also delete the copy of Hansard there',
    confirm: 'Forget',
    failed: (reason: string) => `Not forgotten: ${reason}`,
  },

  lost: {
    bar: (name: string) => `Connection to ${name} lost.`,
    off: (name: string) => `Disconnected from ${name}.`,
    keys: 'Keys are not sent.',
    placeholder: 'Not connected',
    noConnection: (name: string) => `no connection to ${name}`,
    notSent: (reason: string) => `Not sent: ${reason}`,
  },

  refused: {
    bar: 'This view has stopped.',
    again: 'Follow again',
    againNamed: (name: string) => `Follow again: terminal on ${name}`,
  },

  upload: {
    running: (name: string) => `Copying ${name}…`,
    failed: (name: string) => `Could not copy ${name}`,
    tooLarge: (name: string) => `Could not copy ${name}: it is larger than 12 MB. Copy it with scp.`,
  },
} as const;
