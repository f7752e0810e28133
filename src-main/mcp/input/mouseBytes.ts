export interface MouseSpec {
  readonly action: 'press' | 'release' | 'click' | 'move' | 'scroll_up' | 'scroll_down';
  /** From 0. */
  readonly row: number;
  readonly col: number;
  readonly button?: 'left' | 'middle' | 'right';
}

const BUTTONS = { left: 0, middle: 1, right: 2 } as const;
const MOVED = 32;
const NO_BUTTON = 3;
const WHEEL = { scroll_up: 64, scroll_down: 65 } as const;

/** SGR mouse reports (DEC mode 1006): `CSI < b ; x ; y M`, `m` for a release. */
export function mouseBytes({ action, row, col, button = 'left' }: MouseSpec): string {
  const report = (code: number, final: 'M' | 'm'): string => `\x1b[<${code};${col + 1};${row + 1}${final}`;
  const code = BUTTONS[button];
  switch (action) {
    case 'press':
      return report(code, 'M');
    case 'release':
      return report(code, 'm');
    case 'click':
      return report(code, 'M') + report(code, 'm');
    case 'move':
      return report(MOVED + NO_BUTTON, 'M');
    case 'scroll_up':
    case 'scroll_down':
      return report(WHEEL[action], 'M');
  }
}
