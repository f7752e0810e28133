/** The panes of a tab. */
export const panes = {
  actions: {
    splitRight: 'Split right',
    splitDown: 'Split down',
    focus: (side: string) => `Focus pane ${SIDES[side] ?? side}`,
    resize: (side: string) => `Move pane edge ${side}`,
    zoom: 'Zoom pane',
    toTab: 'Move pane to new tab',
    joinTab: 'Move tab into split…',
    close: 'Close pane',
  },
  split: 'Split',
  splitTip: 'Split this pane to the right; Alt+click splits it downwards',
  /** In the head of an unfocused pane with news. */
  ring: { asks: 'Needs you', unread: (count: number) => `${count} unread`, news: 'News' },
  unzoom: 'Show all panes',
  edge: 'Resize panes',
} as const;

const SIDES: Readonly<Record<string, string>> = {
  left: 'on the left',
  right: 'on the right',
  up: 'above',
  down: 'below',
};
