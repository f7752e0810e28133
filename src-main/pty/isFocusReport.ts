const REPORTS: ReadonlySet<string> = new Set(['\x1b[I', '\x1b[O']);

/** Whether an emulator sends this when it gains or loses the focus (DEC mode 1004): it is no key. */
export function isFocusReport(data: string | Uint8Array): boolean {
  return data.length === 3 && REPORTS.has(Buffer.from(data as string).toString('latin1'));
}
