export interface ResourceTemplateInfo {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

const ABOUT: readonly [uri: string, name: string, title: string, mimeType: string, description: string][] = [
  [
    'term://pty/{id}/screen',
    'screen',
    'Screen of a terminal',
    'text/plain',
    'what it shows now; subscribe to hear of changes, at most two a second',
  ],
  [
    'term://pty/{id}/screen.json',
    'screen.json',
    'Screen with its state',
    'application/json',
    'text, cursor, size, title, seq and epoch of one frame',
  ],
  [
    'term://pty/{id}/screen.png',
    'screen.png',
    'Picture of a screen',
    'image/png',
    'as the window shows it, secrets covered',
  ],
  [
    'term://pty/{id}/deltas/{cursor}',
    'deltas',
    'Changes of a screen',
    'application/json',
    'as pty_screen_deltas gives them; without a cursor a keyframe of now. Subscribe to hear of changes, then read on from resume_cursor',
  ],
  [
    'term://pty/{id}/blocks',
    'blocks',
    'Commands of a terminal',
    'application/json',
    'the newest 50 as summaries; subscribe to hear of each that begins or ends',
  ],
  [
    'term://pty/{id}/cast/{from}-{to}',
    'recording',
    'Recording of a range of bytes',
    'application/x-asciicast',
    'output from one offset to another, with its times, to be played; without a range all of it; needs the scope raw',
  ],
  ['term://block/{id}/output', 'output', 'Output of a command', 'text/plain', 'all of it as the terminal showed it'],
  [
    'term://block/{id}/raw',
    'raw',
    'Bytes of a command',
    'application/octet-stream',
    'exactly what it printed, the first 6 MiB; _meta says how much more there is; needs the scope raw',
  ],
  [
    'term://chat/{id}',
    'chat',
    "An agent's conversation",
    'text/markdown',
    'with secrets taken out; /jsonl, /json, /html and /cast (needs the scope raw) behind it give other forms',
  ],
  [
    'term://inbox/{client}',
    'inbox',
    'Watch results',
    'application/json',
    'what pty_notify was asked to watch for and has come about',
  ],
];

export const TEMPLATES: readonly ResourceTemplateInfo[] = ABOUT.map(
  ([uriTemplate, name, title, mimeType, description]) => ({
    uriTemplate,
    name,
    title,
    mimeType,
    description,
  }),
);
