/** Attachment: selects the text of the field when it opens, so that typing replaces it. */
export function selectAll(field: Element): void {
  if (field instanceof HTMLInputElement) field.addEventListener('focus', () => field.select(), { once: true });
}
