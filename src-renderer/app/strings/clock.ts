/** Times of day, and days by name. */
export const clock = {
  am: (time: string) => `${time} AM`,
  pm: (time: string) => `${time} PM`,
  today: 'Today',
  yesterday: 'Yesterday',
} as const;
