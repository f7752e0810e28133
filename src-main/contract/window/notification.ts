/** Subject of a notification: a long command's end, a program's own message (OSC 9, 99, 777), an agent's question, the end of its turn. */
export type NotificationKind = 'command' | 'program' | 'agentAsks' | 'agentDone';

/** An event in a terminal that the person was not viewing. Texts are one line of bounded length without control characters. */
export interface Notification {
  /** Ascending; never reused. */
  seq: number;
  kind: NotificationKind;
  terminalId: string;
  /** The card that it opens, if any. */
  blockId: string | null;
  /** The command, the program's title, or the agent's name. */
  title: string;
  /** Text from the program or agent; '' if it gave no text. */
  body: string;
  /** Only for a command that ended. */
  exitCode: number | null;
  durationMs: number | null;
  atMs: number;
  isRead: boolean;
}

/** Item of `notification.onChange`: everything first and after each read, then new ones. */
export type NotificationChange =
  | { type: 'all'; notifications: Notification[] }
  | { type: 'new'; notification: Notification };
