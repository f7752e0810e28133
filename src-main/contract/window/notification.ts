/** What a notification is about: a long command's end, a program's own words (OSC 9, 99, 777), an agent's question, the end of its turn. */
export type NotificationKind = 'command' | 'program' | 'agentAsks' | 'agentDone';

/** Something that happened in a terminal while the person looked elsewhere. Texts are one line of bounded length without control characters. */
export interface Notification {
  /** Ascending; never reused while the core runs. */
  seq: number;
  kind: NotificationKind;
  terminalId: string;
  /** The card that it leads to, where there is one. */
  blockId: string | null;
  /** The command, the program's title, or the agent's name. */
  title: string;
  /** Text from the program or agent; '' if it gave no text. */
  body: string;
  /** Of a command that ended. */
  exitCode: number | null;
  durationMs: number | null;
  atMs: number;
  isRead: boolean;
}

/** What `notification.onChange` yields: everything first and whenever something was read, then what is new. */
export type NotificationChange =
  | { type: 'all'; notifications: Notification[] }
  | { type: 'new'; notification: Notification };
