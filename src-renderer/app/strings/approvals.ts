/** Requests of MCP clients, and their current actions in a terminal. */
export const approvals = {
  asks: {
    command: 'asks to run',
    keys: 'asks to type',
    control: 'asks for control',
    answer: 'asks to answer the agent here',
    prompt: 'asks to prompt the agent here',
  },
  notification: {
    command: (client: string) => `${client} asks to run a command`,
    keys: (client: string) => `${client} asks to type`,
    control: (client: string) => `${client} asks for control`,
    answer: (client: string) => `${client} asks to answer an agent`,
    prompt: (client: string) => `${client} asks to prompt an agent`,
  },
  moreWaiting: (count: number) => `${count} more waiting`,
  elsewhere: (client: string, tab: string) => `${client} needs approval in “${tab}”`,
  expiresIn: (time: string) => `Expires in ${time}`,
  expiresTip: 'The request is denied if you do not answer in time',

  facts: { folder: 'Folder', claim: 'Client says', part: 'Needs approval', rule: 'Rule' },
  readOnly: 'read-only',

  command: 'Command',
  showMore: (lines: number) => (lines === 1 ? 'Show 1 more line' : `Show ${lines} more lines`),
  hiddenCharacters: 'This command contains invisible characters. They are shown by name.',
  scrollFirst: 'Scroll to the end of the command to allow it.',

  allowOnce: 'Allow once',
  allowExact: 'Allow this command here',
  allowExactTip: 'Allows exactly this command in this terminal until the terminal closes',
  allowPrefix: { before: 'Allow', after: 'here' },
  allowPrefixTip: 'Allows every command that starts like this in this terminal until the terminal closes',
  deny: 'Deny',
  denyWithReason: 'Deny with reason',
  back: 'Back',
  reason: 'Reason',
  reasonPlaceholder: 'Reason (sent to the agent)',
  noLongerOpen: 'This request is no longer open.',

  hash: 'Request hash',
  hashTip:
    'Your answer applies to exactly this command, folder, terminal and screen. This is their SHA-256 hash; the client and “hansard approvals” show the same one. Click to copy it.',

  waitsForStep: (client: string, reason: string) =>
    `${client} waits for you: ${reason || 'finish your step, then return control'}`,
  types: (client: string, reason: string) => `${client} is typing here${reason && `: ${reason}`}`,
  runs: (client: string) => `${client} is running this command`,
  queued: (client: string) => `${client} waits until this terminal is idle`,
  cancelCommand: (command: string) => `Cancel ${command}`,
  showAudit: 'Show audit log',
  returnControl: (client: string) => `Return control to ${client}`,
  takeControl: 'Take control',
} as const;
