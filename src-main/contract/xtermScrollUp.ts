/** What of xterm 6.0.0 is needed to scroll as a line feed does. Core and window use it alike, so that their scrollbacks agree. */
interface ScrollCore {
  _bufferService: { scroll(look: object): void };
  _inputHandler: { _eraseAttrData(): object };
  buffers: { active: { scrollTop: number; scrollBottom: number }; normal: object };
}

interface ScrollTerminal {
  readonly rows: number;
  readonly parser: {
    registerCsiHandler(id: { final: string }, handler: (params: (number | number[])[]) => boolean): { dispose(): void };
  };
}

/**
 * `CSI n S` at the top of the normal screen hands its rows to the scrollback, as tmux and kitty do and as line feeds do; xterm 6.0.0
 * throws them away. Programs that keep a footer print their finished lines this way. What is seen is the same.
 */
export function keepScrolledUp(terminal: ScrollTerminal): { dispose(): void } {
  const core = (terminal as { _core?: Partial<ScrollCore> })._core;
  const isKnown = core?._bufferService?.scroll && core._inputHandler?._eraseAttrData && core.buffers;
  if (!isKnown) return { dispose: () => undefined };
  const { _bufferService: service, _inputHandler: input, buffers } = core as ScrollCore;
  return terminal.parser.registerCsiHandler({ final: 'S' }, (params) => {
    const { active, normal } = buffers;
    if (active !== normal || active.scrollTop !== 0) return false;
    const count = Math.min(Number(params[0]) || 1, active.scrollBottom + 1);
    for (let row = 0; row < count; row++) service.scroll(input._eraseAttrData());
    return true;
  });
}
