/** Internals of xterm 6.0.0 to scroll like a line feed. Core and window both use them, so that their scrollbacks agree. */
interface ScrollCore {
  _bufferService: { scroll(look: object, isWrapped?: boolean): void };
  _inputHandler: { _eraseAttrData(): object; eraseInDisplay(...args: unknown[]): boolean };
  buffers: { active: { scrollTop: number; scrollBottom: number; ybase: number; savedY: number }; normal: object };
}

interface ScrollTerminal {
  readonly rows: number;
  readonly parser: {
    registerCsiHandler(id: { final: string }, handler: (params: (number | number[])[]) => boolean): { dispose(): void };
  };
}

/** The emulator's internals, or undefined if this version of xterm hides them. */
function scrollCoreOf(terminal: object): ScrollCore | undefined {
  const core = (terminal as { _core?: Partial<ScrollCore> })._core;
  const isKnown =
    typeof core?._bufferService?.scroll === 'function' &&
    typeof core._inputHandler?._eraseAttrData === 'function' &&
    typeof core._inputHandler.eraseInDisplay === 'function' &&
    core.buffers !== undefined;
  return isKnown ? (core as ScrollCore) : undefined;
}

/**
 * Makes DECRC return to the row of the screen that DECSC saved, as in DEC terminals and tmux. xterm 6.0.0 counts the saved row from the top of
 * its scrollback: it returns one row too high for each line scrolled since, and too low after ED 3 emptied the scrollback.
 */
export function keepSavedRow(terminal: object): { dispose(): void } {
  const core = scrollCoreOf(terminal);
  if (!core) return { dispose: () => undefined };
  const { _bufferService: service, _inputHandler: input, buffers } = core;
  const { scroll } = service;
  const { eraseInDisplay } = input;
  const holdRow = <T>(change: () => T): T => {
    const buffer = buffers.active;
    const before = buffer.ybase;
    const result = change();
    buffer.savedY += buffer.ybase - before;
    return result;
  };
  service.scroll = (...args) => holdRow(() => scroll.apply(service, args));
  input.eraseInDisplay = (...args) => holdRow(() => eraseInDisplay.apply(input, args));
  return { dispose: () => void Object.assign(service, { scroll }) };
}

/**
 * Makes `CSI n S` at the top of the normal screen move rows to the scrollback, as in tmux and kitty, and like line feeds; xterm 6.0.0
 * drops them. Programs with a footer print their finished lines this way. The visible screen is the same.
 */
export function keepScrolledUp(terminal: ScrollTerminal): { dispose(): void } {
  const core = scrollCoreOf(terminal);
  if (!core) return { dispose: () => undefined };
  const { _bufferService: service, _inputHandler: input, buffers } = core;
  return terminal.parser.registerCsiHandler({ final: 'S' }, (params) => {
    const { active, normal } = buffers;
    if (active !== normal || active.scrollTop !== 0) return false;
    const count = Math.min(Number(params[0]) || 1, active.scrollBottom + 1);
    for (let row = 0; row < count; row++) service.scroll(input._eraseAttrData());
    return true;
  });
}
