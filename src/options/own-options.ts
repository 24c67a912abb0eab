import { unreadable } from './option-checks.ts'
import type { ConfigurationProblem } from './configuration-error.ts'

/** The maximum number of names or items, which is more than any configuration has. A proxy can report any number. */
const maxMembers = 10_000

/**
 * Returns a copy of an options object with its own members, each read once. Members of `Object.prototype` are not read, and a
 * getter that later returns another value has no effect. Values that cannot be read are added to `problems`, without the thrown
 * value. A value that is not an object is returned unchanged, for the checks to report.
 *
 * @param where - path of the object, '' for the outermost
 * @param nested - names of members that are options objects themselves; arrays are copied everywhere
 */
export function ownOptions<T>(
  given: T,
  where: string,
  problems: ConfigurationProblem[],
  nested: readonly string[] = [],
): T {
  // It could be a proxy, so none of its members is read.
  if (typeof given === 'function') {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: 'must be an object with options, not a function',
    })
    return empty() as T
  }
  if (typeof given !== 'object' || given === null) return given
  try {
    return (Array.isArray(given) ? ownItems(given, where, problems) : ownMembers(given, where, problems, nested)) as T
  } catch {
    problems.push(unreadable(where)) // A proxy that throws.
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
  if (names.length > maxMembers) problems.push(tooMany(where))
  for (const name of names.slice(0, maxMembers)) {
    const path = where === '' ? name : `${where}.${name}`
    try {
      const value = (given as Record<string, unknown>)[name]
      // The array test comes first: it throws for each revoked proxy, also for one of a function. A function itself can be a
      // valid value, such as `headers`.
      const isNested = Array.isArray(value) || (typeof value === 'object' && nested.includes(name))
      own[name] = isNested ? ownOptions(value, path, problems) : value
    } catch {
      problems.push(unreadable(path))
    }
  }
  return own
}

function ownItems(given: readonly unknown[], where: string, problems: ConfigurationProblem[]): unknown[] {
  const { length } = given
  if (!(length <= maxMembers)) {
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

/** Returns an object without a prototype, on which `__proto__` is an ordinary member. */
function empty(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

function tooMany(path: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_RANGE', path, message: `must not have more than ${maxMembers} members` }
}
