import type { ConfigurationProblem } from '../options/configuration-error.ts'

/** What stands in place of a covered value. */
export interface Censor {
  /** Leave the member out; an array item becomes null. */
  readonly remove: boolean
  /** `replace` looks at nothing and answers the same each time, so the walk need not find out the path. */
  readonly constant: boolean
  /**
   * Whether `replace` reads no path, runs no code of users, and returns a value that it does not change itself, so that the rules below
   * it hold.
   */
  readonly isOfTexts: boolean
  /**
   * What to log instead: data like any other, undefined leaves the member out. Never throws: where the user's function
   * throws, the default stands.
   * @param path - the keys from the attributes to the value, the value's own included
   */
  replace(value: unknown, path: readonly string[]): unknown
}

/** What stands in place of a covered value by default. */
export const redacted = '[REDACTED]'

/** The default censor. */
export const defaultCensor: Censor = { remove: false, constant: true, isOfTexts: false, replace: () => redacted }

const removing: Censor = { remove: true, constant: true, isOfTexts: false, replace: () => undefined }

/**
 * Makes the censor of the options `censor` and `remove`. As in fast-redact, `remove: true` makes `censor` irrelevant; an
 * undefined `censor` is an absent one, where fast-redact removes.
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
    const message = 'must be a string, a number, a boolean, null or a function that returns what to log instead'
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
