import { formatCount } from '../formatWords.ts';
import { counts } from './counts.ts';

/** The conversation panel. */
export const conversation = {
  title: 'Conversation',
  back: 'Back',
  close: 'Close conversation',
  toggle: 'Show or hide conversation',
  agentState: (agent: string, state: string) => `${agent}: ${state}`,

  nameField: 'Conversation name; leave empty to reset',
  notNamed: (title: string) => `The name “${title}” was not saved`,
  actions: {
    toggle: 'Toggle conversation',
    focus: 'Focus conversation or terminal',
    find: 'Find in conversation',
    name: 'Rename conversation',
    copyAll: 'Copy conversation as Markdown',
    export: 'Export conversation…',
    toCard: 'Go to its card',
    copyTurn: 'Copy turn as Markdown',
    previous: 'Previous turn',
    next: 'Next turn',
    first: 'Go to first turn',
    last: 'Go to newest turn',
  },

  states: {
    starting: 'starting',
    idle: 'idle',
    working: 'working',
    needs_approval: 'needs approval',
    needs_input: 'needs input',
    exited: 'ended',
    cleared: 'cleared',
    unknown: 'state unknown',
  },
  /** Source of an agent's state, for example `read from its screen (permission.ask): “Proceed?”`. */
  evidence: (channel: string, rule: string, line: string) => `${channel} (${rule})${line && `: “${line}”`}`,
  channels: {
    hook: 'reported by its hook',
    osc: 'reported by its terminal signal',
    screen: 'read from its screen',
    process: 'read from its process',
    activity: 'read from its output',
  },

  empty: 'No conversation in this tab yet.',
  emptyAbout: 'Start an agent in the terminal. Your messages and its answers appear here and are kept.',
  starting: (agent: string) => `${agent} is starting…`,
  connectionLost: 'Connection to Hansard lost. The conversation so far is on the record.',
  fault: (reason: string) => `Could not read the conversation: ${reason}`,
  messages: 'Messages',
  noMatch: 'No matching messages',
  noMessages: 'No messages',
  noMessagesYet: 'No messages yet',
  messageGone: 'This message is no longer in the conversation',
  notInCard: 'This card has no recorded conversation',
  verifiedTip: 'Messages that the agent’s own log confirms',

  list: {
    title: (name: string, count: number) => `${name}: choose from ${counts.conversations(count)}`,
    afterClear: ' · after a clear',
    unnamed: (time: string) => `Conversation from ${time}`,
    noMessages: 'no messages',
    verified: 'verified',
    someVerified: (verified: number, all: number) => `${formatCount(verified)} of ${formatCount(all)} verified`,
  },

  foot: {
    copy: 'Copy as Markdown',
    copyTip: 'Copy the whole conversation as Markdown',
    export: 'Export…',
    previousTip: 'Previous turn · ↑',
    nextTip: 'Next turn · ↓',
    turns: 'turns',
  },
  menu: 'Conversation menu',
  menuTip: 'More…',

  /** The parts of the panel, as tabs. */
  parts: { messages: 'Conversation', changes: 'Changes', plan: 'Plan' },
  plan: {
    label: 'The agent’s plan',
    short: (done: number, total: number, isPart: boolean) =>
      `${formatCount(done)}/${formatCount(total)}${isPart ? '?' : ''}`,
    changed: (words: string) => `Plan: ${words}`,
    cleared: 'Plan cleared',
    progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} done`,
    states: { open: 'open', active: 'in progress', done: 'done', dropped: 'dropped' },
    fromScreen: 'Read from the screen. The agent’s own log does not confirm it.',
    isPart: 'Some items may be missing or out of date.',
    more: (count: number) => `${formatCount(count)} more ${count === 1 ? 'is' : 'are'} not shown`,
  },

  /** State and title of a sub-agent. */
  subAgent: (state: string, title: string) => `Sub-agent, ${state}: ${title}`,

  events: {
    cleared: 'cleared',
    compacted: 'compacted',
    screenCleared: 'screen cleared',
    ended: 'ended',
    /** A time follows. */
    endedUnseen: 'ended some time after',
  },
  resumeWith: '· resume with',
  resumeTip: 'Start the agent with this to continue the conversation',

  find: {
    placeholder: 'Find in conversation',
    searching: 'Searching…',
    noMatch: 'No matches',
    position: (at: string, count: string) => `${at} of ${count}`,
    previous: 'Previous match',
    next: 'Next match',
    filter: 'Filter messages',
    all: 'All',
    allTip: 'All messages',
    you: 'You',
    youTip: 'Your messages and permission prompts',
    agentTip: 'Only answers',
    tools: 'Tools',
    toolsTip: 'Only tools and their results',
  },

  export: {
    title: 'Export conversation',
    format: 'Format',
    md: 'To read and to paste',
    html: 'One page without scripts, to read and to print',
    json: 'All data, for programs',
    jsonl: 'One line per message, as recorded',
    redact: 'Redact secrets',
    redactAbout: 'Keys, tokens and passwords in known formats become `[redacted]`. Check the file before you share it.',
    noSecrets: 'no secrets found',
    unredacted: 'not redacted',
    redacted: (count: number) => `${counts.secrets(count)} redacted`,
    failed: (reason: string) => `Could not export: ${reason}`,
    writing: 'Exporting…',
    copied: 'Copied export',
  },

  edge: { tip: 'Drag to resize, or use ← →. Double-click to reset.', label: 'Conversation width in pixels' },

  permission: {
    open: 'Permission prompt, needs your answer',
    answered: 'Permission prompt',
    asked: 'Asked: ',
    options: 'Options',
    answer: 'Answer in terminal',
    byYou: ' by you',
    by: (who: string) => ` by ${who}`,
    verdict: (who: string, choice: string) => `Answered${who}: ${choice}`,
    verdictUnknown: (who: string) => `Answered${who}, choice unknown`,
  },

  message: {
    you: 'You',
    fromLog: 'from the agent’s log',
    logDiffers: 'log differs',
    writing: 'writing…',
    copy: 'Copy',
    copyTip: 'Copy as Markdown · C',
    card: 'Card',
    cardTip: 'Go to the card in the terminal · T',
    source: 'Source',
    sourceTip: 'Show where this message comes from',
    result: 'Result',
    showRest: 'Show rest of message',
    showAll: (lines: string) => `Show all ${lines}`,
    copyCode: 'Copy this code',
    copiedLines: (lines: string) => `Copied ${lines}`,
    taskDone: 'done',
    taskOpen: 'open',
    gap: 'lines not drawn',
    gapTip: 'The agent never drew these lines in the terminal, or they were gone too soon to be read',
    copiedConversation: 'Copied conversation',
    copiedTurn: 'Copied turn',
  },

  source: {
    title: 'Source of this message',
    text: 'Text',
    input: 'Input',
    output: 'Output',
    onlyOnScreen: 'only on screen',
    onlyInLog: 'only in log',
    origins: { screen: 'the screen', hook: 'a hook', log: 'the agent’s log' },
    readFrom: (origins: readonly string[]) => `Read from ${origins.join(' and ')}`,
    extractor: (name: string, version: string | number, percent: number) =>
      `By extractor ${name}, version ${version}, with ${percent} % confidence`,
    bytes: (start: number, end: number, frame: number) =>
      `Bytes ${formatCount(start)}–${formatCount(end)} of the record, frame ${formatCount(frame)}`,
    logMatches: 'The agent’s own log has the same text',
    logLacks: 'The agent’s own log does not contain it',
    logDiffers: 'The agent’s own log has different text',
  },

  /** The agent's state in a background tab. */
  waiting: (tab: string, what: string) => `${tab}: ${what}`,
  notification: (agent: string) => `${agent} needs input`,
} as const;
