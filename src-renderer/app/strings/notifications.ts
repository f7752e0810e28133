/** Events in terminals while the person looked elsewhere. */
export const notifications = {
  title: 'Notifications',
  open: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
  none: 'No notifications',
  unread: 'Unread',
  readAll: 'Mark all as read',
  actions: { open: 'Show notifications', latest: 'Go to latest unread notification' },
  /** The event, beside the name of the command, program or agent. */
  what: {
    done: (duration: string) => `finished after ${duration}`,
    failed: (duration: string, exitCode: number) => `failed after ${duration} · exit ${exitCode}`,
    asks: (question: string) => (question === '' ? 'needs your input' : `asks: ${question}`),
    agentDone: 'finished its turn',
  },
  where: (label: string, place: string, time: string) => [label, place, time].filter(Boolean).join(' · '),
} as const;
