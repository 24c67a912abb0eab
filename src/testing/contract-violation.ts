/** A violation of the contract of an exporter or a handler. */
export interface ContractViolation {
  /** The rule that was violated. */
  readonly rule: string
  /** A description of the violation. */
  readonly message: string
}
