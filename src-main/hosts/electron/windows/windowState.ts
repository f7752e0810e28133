import type { Rectangle } from 'electron';
import { z } from 'zod';
import { WindowId } from '../../../contract/window/windows.ts';

const OneWindow = z.object({
  id: WindowId.optional(),
  bounds: z.object({
    x: z.number().int(),
    y: z.number().int(),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
  }),
  isMaximized: z.boolean(),
  isFullScreen: z.boolean(),
});

/** More windows than this are not opened again at a start. */
const MAX_OTHERS = 20;

/**
 * window.json in the data folder: the window used last and the others that were open. Sizes and places are device-independent pixels;
 * `bounds` are those of the unmaximised window.
 */
export const WindowState = OneWindow.extend({
  version: z.literal(1),
  others: z.array(OneWindow).max(MAX_OTHERS).optional().catch(undefined), // the last used window matters more
});
export type WindowState = z.infer<typeof WindowState>;

/** Where a window is opened. Without `x` and `y` the system centres it. */
export interface WindowPlace {
  bounds: { width: number; height: number; x?: number; y?: number };
  isMaximized: boolean;
  isFullScreen: boolean;
}

/** Room for the folded tabs, 120 columns and the conversation. */
const USUAL_SIZE = { width: 1440, height: 900 } as const;
/** Part of the title bar that has to be on a display so that a person can grab it. */
const GRIP = { width: 96, height: 32 } as const;

/**
 * The window's initial position: as saved, or centred if that is no longer on any display (one was unplugged); never larger than its display. `areas`
 * are the displays' work areas, the primary first; at least one.
 */
export function placeWindow(saved: WindowState | null, areas: readonly Rectangle[]): WindowPlace {
  const area = saved ? areas.find((candidate) => canBeGrabbed(saved.bounds, candidate)) : undefined;
  if (!saved || !area)
    return {
      bounds: shrinkTo(saved?.bounds ?? USUAL_SIZE, areas[0]),
      isMaximized: saved?.isMaximized ?? false,
      isFullScreen: false,
    };
  const { x, y } = saved.bounds;
  return {
    bounds: { ...shrinkTo(saved.bounds, area), x, y },
    isMaximized: saved.isMaximized,
    isFullScreen: saved.isFullScreen,
  };
}

/** Whether enough of the window's top edge is within `area`. */
function canBeGrabbed(bounds: Rectangle, area: Rectangle): boolean {
  const shownWidth = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const isTopInside = bounds.y >= area.y && bounds.y + GRIP.height <= area.y + area.height;
  return isTopInside && shownWidth >= GRIP.width;
}

/** The offset of a further window from the one before it, in device-independent pixels: both title bars stay visible. */
const CASCADE_PX = 28;

/** The place of one more window beside `state`: as large, never maximised. */
export function shiftPlace({ version, bounds }: WindowState): WindowState {
  const moved = { ...bounds, x: bounds.x + CASCADE_PX, y: bounds.y + CASCADE_PX };
  return { version, bounds: moved, isMaximized: false, isFullScreen: false };
}

function shrinkTo(
  size: { width: number; height: number },
  area: Rectangle | undefined,
): { width: number; height: number } {
  return {
    width: Math.min(size.width, area?.width ?? size.width),
    height: Math.min(size.height, area?.height ?? size.height),
  };
}
