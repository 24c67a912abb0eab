import type { ConfigurationProblem } from '../options/configuration-error.ts'

/** The replacement of redacted values. */
export interface Censor {
  /** Whether a redacted member is omitted, and a redacted array item becomes null. */
  readonly removesMember: boolean
  /** Whether `replace` always returns the same value, so that callers need not compute the path. */
  readonly isConstant: boolean
  /**
   * Whether `replace` returns a value unchanged if it contains no secret, ignores the path, and runs no user code. If the value is
   * unchanged, the rules for values below it still apply.
   */
  readonly keepsValuesWithoutSecret: boolean
  /**
   * Returns the value that is logged instead; undefined omits the member. Never throws: if the user's function throws, the default
   * replacement is used.
   * @param path - the keys from the attributes to the value, including the value's own key
   */
  replace(value: unknown, path: readonly string[]): unknown
}

/** The default replacement of a redacted value. */
export const defaultReplacement = '[REDACTED]'

/** The censor without the options `censor` and `remove`. */
export const defaultCensor: Censor = {
  removesMember: false,
  isConstant: true,
  keepsValuesWithoutSecret: false,
  replace: () => defaultReplacement,
}

const removingCensor: Censor = {
  removesMember: true,
  isConstant: true,
  keepsValuesWithoutSecret: false,
  replace: () => undefined,
}

/**
 * Creates the censor for the options `censor` and `remove`. As in fast-redact, `remove: true` overrides `censor`. An undefined `censor`
 * means the default replacement; in fast-redact it removes the member.
 *
 * @param where - the path of the option `censor`, for error messages
 */
export function compileCensor(
  censor: unknown,
  remove: boolean,
  where: string,
  problems: ConfigurationProblem[],
): Censor {
  const replace = replaceFunctionOf(censor)
  if (replace === undefined) {
    const message = 'must be a string, a number, a boolean, null or a function that returns the replacement'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
  }
  if (remove) return removingCensor
  if (replace === undefined) return defaultCensor
  return { removesMember: false, isConstant: typeof censor !== 'function', keepsValuesWithoutSecret: false, replace }
}

/** Returns the function `replace` for the option `censor`; undefined if the option is invalid. */
function replaceFunctionOf(censor: unknown): Censor['replace'] | undefined {
  switch (typeof censor) {
    case 'undefined':
      return () => defaultReplacement
    case 'function':
      return guardedCensor(censor as UserCensor)
    case 'string':
    case 'number':
    case 'boolean':
      return () => censor
    default:
      return censor === null ? () => null : undefined
  }
}

type UserCensor = (value: unknown, path: string[]) => unknown

function guardedCensor(censor: UserCensor): Censor['replace'] {
  return (value, path) => {
    try {
      return censor(value, [...path])
    } catch {
      return defaultReplacement
    }
  }
}
