// @ts-expect-error it has no declarations
import untyped from 'fast-redact'

/** The options of fast-redact 3.5. */
export interface FastRedactOptions {
  readonly paths?: readonly string[]
  readonly censor?: unknown
  readonly remove?: boolean
  readonly serialize?: ((value: unknown) => string) | false
}

/** The package that defines the meaning of paths, used as an oracle. It modifies its argument. */
export const fastRedact = untyped as (options: FastRedactOptions) => (value: unknown) => unknown
