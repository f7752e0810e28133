/** One line of a menu, or a rule between lines. */
export type MenuItem =
  | { label: string; keys?: string; run(): void; isDisabled?: boolean; isDangerous?: boolean }
  | { label: string; items: readonly MenuItem[] }
  | { rule: true };
