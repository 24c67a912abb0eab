import type { ConfigurationProblem } from '../options/configuration-error.ts'

/** The replacement of redacted values. */
export interface Censor {
  /** Whether the member is omitted; an array item becomes null. */
  readonly remove: boolean
  /** Whether `replace` always returns the same value, so that the walk need not compute the path. */
  readonly constant: boolean
  /**
   * Whether `replace` ignores the path and runs no user code. If it returns the value unchanged, the rules below the value still apply.
   */
  readonly isOfTexts: boolean
  /**
   * Returns the value that is logged instead; undefined omits the member. Never throws: if the user's function throws, the default
   * replacement is used.
   * @param path - the keys from the attributes to the value, including the value's own key
   */
  replace(value: unknown, path: readonly string[]): unknown
}

/** The default replacement of a redacted value. */
export const redacted = '[REDACTED]'

/** The default censor. */
export const defaultCensor: Censor = { remove: false, constant: true, isOfTexts: false, replace: () => redacted }

const removing: Censor = { remove: true, constant: true, isOfTexts: false, replace: () => undefined }

/**
 * Creates the censor for the options `censor` and `remove`. As in fast-redact, `remove: true` overrides `censor`. Unlike in fast-redact,
 * where an undefined `censor` removes, it means the default.
 *
 * @param where - the path of `censor`, for problems
 */
export function compileCensor(
  censor: unknown,
  remove: boolean,
  where: string,
  problems: ConfigurationProblem[],
): Censor {
  const replace = replacement(censor)
  if (replace === undefined) {
    const message = 'must be a string, a number, a boolean, null or a function that returns the replacement'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
  }
  if (remove) return removing
  if (replace === undefined) return defaultCensor
  return { remove: false, constant: typeof censor !== 'function', isOfTexts: false, replace }
}

function replacement(censor: unknown): Censor['replace'] | undefined {
  switch (typeof censor) {
    case 'undefined':
      return () => redacted
    case 'function':
      return guarded(censor as UserCensor)
    case 'string':
    case 'number':
    case 'boolean':
      return () => censor
    default:
      return censor === null ? () => null : undefined
  }
}

type UserCensor = (value: unknown, path: string[]) => unknown

function guarded(censor: UserCensor): Censor['replace'] {
  return (value, path) => {
    try {
      return censor(value, [...path])
    } catch {
      return redacted
    }
  }
}
