import type { IBuffer } from '@xterm/headless';
import type { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import type { Cell, CellLook, CoreBuffer } from '../../src-main/shared/xterm/xtermInternals.ts';

/** All state of a screen that a program can observe now or later, as plain data for a deep comparison. */
export function screenState(model: ScreenModel): object {
  const { buffer } = model.terminal;
  const { coreService, coreMouseService, buffers, _charsetService, _inputHandler } = model.core;
  return {
    size: [model.cols, model.rows],
    normal: readBuffer(model, buffer.normal, buffers.normal),
    alt: buffer.active === buffer.alternate ? readBuffer(model, buffer.alternate, buffers.alt) : null,
    modes: { ...coreService.decPrivateModes, ...coreService.modes, synchronizedOutput: null },
    hidden: coreService.isCursorHidden,
    mouse: [coreMouseService.activeProtocol, coreMouseService.activeEncoding],
    charset: [_charsetService.glevel, _charsetService.charset?.q ?? null],
    look: lookOf(model, _inputHandler._curAttrData),
  };
}

function readBuffer(model: ScreenModel, buffer: IBuffer, core: CoreBuffer): object {
  const cell = buffer.getNullCell() as Cell;
  const rows: string[] = [];
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row);
    const cells: string[] = [];
    for (let col = 0; line && col < line.length; col++) {
      line.getCell(col, cell);
      // half of a wide character without its other half shows nothing
      const isHalf =
        (cell.getWidth() === 2 && line.getCell(col + 1)?.getWidth() !== 0) ||
        (cell.getWidth() === 0 && line.getCell(col - 1)?.getWidth() !== 2);
      if (isHalf) {
        cells.push(`/1/${packed(cell.bg & 0x3ffffff)}`);
        continue;
      }
      const chars = cell.getChars();
      const look = chars === '' ? packed(cell.bg & 0x3ffffff) : lookOf(model, cell);
      // only printing moves the cursor past the margin, so the cell before it has been written
      const isBeforeCursor = core.x >= model.cols && row === core.ybase + core.y && col === model.cols - 1;
      cells.push(
        chars === '' && isBeforeCursor && cell.getWidth() === 1
          ? ` /1/0,${packed(cell.bg & 0x3ffffff)},0,`
          : `${chars}/${cell.getWidth()}/${look}`,
      );
    }
    const isWrapped = row > 0 && line?.isWrapped; // the row that the first one continues is gone
    rows.push(`${isWrapped ? 'w' : ' '}|${cells.join('|').replace(/(?:\|\/1\/0)+$/, '')}`);
  }
  const tabs = Object.keys(core.tabs).filter((col) => core.tabs[Number(col)] && Number(col) < model.cols);
  return { rows, cursor: [core.y, core.x], region: [core.scrollTop, core.scrollBottom], tabs };
}

function lookOf(model: ScreenModel, look: CellLook): string {
  const hasMore = (look.bg & 0x10000000) !== 0;
  const link = hasMore ? (model.core._oscLinkService.getLinkData(look.extended.urlId)?.uri ?? '') : '';
  const ext = hasMore && look.fg & 0x10000000 ? look.extended._ext : 0;
  const underline = ext === 0x4000000 ? 0 : ext; // a single underline is the same with and without an explicit style
  // without the bits "protected" and "has more", which are not visible
  return `${packed(look.fg)},${packed(look.bg & ~0x30000000)},${underline},${link}`;
}

/** xterm keeps bits of an earlier RGB colour next to a palette colour's number; removes them. */
function packed(color: number): string {
  const mode = color & 0x3000000;
  return (mode === 0x1000000 || mode === 0x2000000 ? color & ~0xffff00 : color).toString(16);
}

/** Text of the screen's rows without trailing blanks. */
export function screenRows(model: ScreenModel): string[] {
  return model.frame().rows.map((row) => row.text.trimEnd());
}
