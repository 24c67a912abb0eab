import { oneLine } from '../../options/one-line.ts'

/** The error that is thrown if a regular expression of a query takes too long, or more memory than the engine has. */
export class QueryTimeoutError extends Error {
  /** Identifies these errors where `instanceof` does not work. */
  override readonly name = 'QueryTimeoutError'
  /** A stable code. */
  readonly code = 'SLUICE_QUERY_TIMEOUT'
  /** The expression, such as `/(a+)+$/`. */
  readonly expression: string

  /** @param limit - what the expression exceeded, such as `1000 ms` */
  constructor(expression: RegExp, limit: string) {
    const text = oneLine(String(expression), maxExpressionLength)
    super(
      `SLUICE_QUERY_TIMEOUT: the regular expression ${text} exceeded ${limit} for one record; use contains, or simplify its repetitions`,
    )
    this.expression = text
  }
}

const maxExpressionLength = 80
