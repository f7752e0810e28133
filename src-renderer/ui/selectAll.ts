/** Attachment: what stands in the field when it opens is selected, so that typing replaces it. */
export function selectAll(field: Element): void {
  if (field instanceof HTMLInputElement) field.addEventListener('focus', () => field.select(), { once: true });
}
