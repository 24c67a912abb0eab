import { unreadable } from './option-checks.ts'
import type { ConfigurationProblem } from './configuration-error.ts'

/** More names or items than any configuration has; a proxy can claim to have any number. */
const mostMembers = 10_000

/**
 * An options object as it stands now, read once: its own members and no others, so that what somebody puts on
 * `Object.prototype` configures nothing, and a getter that answers otherwise the next time changes nothing. What cannot be read
 * is added to `problems`, without a word of what was thrown. What is no object is returned as it is, for the checks to tell.
 *
 * @param where - the object's own path, '' for the outermost
 * @param nested - the members that are such objects themselves; arrays are copied wherever they stand
 */
export function ownOptions<T>(
  given: T,
  where: string,
  problems: ConfigurationProblem[],
  nested: readonly string[] = [],
): T {
  // It could be a proxy, too: nothing of it is read.
  if (typeof given === 'function') {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an object with options' })
    return empty() as T
  }
  if (typeof given !== 'object' || given === null) return given
  try {
    return (Array.isArray(given) ? ownItems(given, where, problems) : ownMembers(given, where, problems, nested)) as T
  } catch {
    problems.push(unreadable(where)) // a proxy
    return empty() as T
  }
}

function ownMembers(
  given: object,
  where: string,
  problems: ConfigurationProblem[],
  nested: readonly string[],
): Record<string, unknown> {
  const own = empty()
  const names = Object.keys(given)
  if (names.length > mostMembers) problems.push(tooMany(where))
  for (const name of names.slice(0, mostMembers)) {
    const path = where === '' ? name : `${where}.${name}`
    try {
      const value = (given as Record<string, unknown>)[name]
      // First: it throws for each revoked proxy, also for one of a function. A function itself may be a valid value, as of `headers`.
      const isBag = Array.isArray(value) || (typeof value === 'object' && nested.includes(name))
      own[name] = isBag ? ownOptions(value, path, problems) : value
    } catch {
      problems.push(unreadable(path))
    }
  }
  return own
}

function ownItems(given: readonly unknown[], where: string, problems: ConfigurationProblem[]): unknown[] {
  const { length } = given
  if (!(length <= mostMembers)) {
    problems.push(tooMany(where))
    return []
  }
  const own: unknown[] = []
  for (let index = 0; index < length; index++) {
    try {
      own.push(given[index])
    } catch {
      own.push(undefined)
      problems.push(unreadable(`${where}[${index}]`))
    }
  }
  return own
}

/** Without a prototype a member called `__proto__` is one like any other. */
function empty(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

function tooMany(path: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_RANGE', path, message: `must not have more than ${mostMembers} members` }
}
