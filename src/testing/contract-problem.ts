/** Something that an exporter or a handler does against its contract. */
export interface ContractProblem {
  /** What one does that keeps it. */
  readonly rule: string
  /** What this one did. */
  readonly message: string
}
