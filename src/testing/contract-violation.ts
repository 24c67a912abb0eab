/** Something that an exporter or a handler does against its contract. */
export interface ContractViolation {
  /** What one does that keeps it. */
  readonly rule: string
  /** What this one did. */
  readonly message: string
}
