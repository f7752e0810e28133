import type { Attachment } from 'svelte/attachments';

/** A combobox names its list of options. bits-ui names an element within it, which screen readers make nothing of. */
export const controlsList: Attachment<HTMLElement> = (input) => {
  const frame = requestAnimationFrame(() => {
    const list = input.closest('.command')?.querySelector('[role="listbox"]');
    if (list) input.setAttribute('aria-controls', list.id);
  });
  return () => cancelAnimationFrame(frame);
};
