import { unreadableProblem } from './option-checks.ts'
import type { ConfigurationProblem } from './configuration-error.ts'
import { bareValueProblem, type Usages } from './bare-value.ts'

/** The maximum number of names or items, more than any configuration has. Needed because a proxy can report any number. */
const maxMembers = 10_000

/**
 * Returns a copy of an options object with its own members, each read once. Members of `Object.prototype` are not read, and a
 * getter that later returns another value has no effect. Values that cannot be read are added to `problems`, without the thrown
 * value. A function, or a value for which `usages` has a text, is added to `problems` too, and the copy is empty. Any other value that
 * is not an object is returned unchanged, for the checks to report.
 *
 * @param where - the path of the object, '' for the outermost
 * @param nested - names of members, at any depth, that are options objects and copied too; all members that are arrays are copied
 * @param usages - what to write in place of a value that belongs in an option (see `bareValueProblem`)
 */
export function copyOptions<T>(
  source: T,
  where: string,
  problems: ConfigurationProblem[],
  nested: readonly string[] = [],
  usages?: Usages,
): T {
  const bareValue = usages === undefined ? undefined : bareValueProblem(source, usages, where)
  if (bareValue !== undefined) {
    problems.push(bareValue)
    return newEmptyOptions() as T
  }
  // A function could be a proxy, so none of its members is read.
  if (typeof source === 'function') {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: 'must be an object with options, not a function',
    })
    return newEmptyOptions() as T
  }
  if (typeof source !== 'object' || source === null) return source
  try {
    return (
      Array.isArray(source) ? copyItems(source, where, problems) : copyMembers(source, where, problems, nested)
    ) as T
  } catch {
    problems.push(unreadableProblem(where)) // A proxy that throws.
    return newEmptyOptions() as T
  }
}

function copyMembers(
  source: object,
  where: string,
  problems: ConfigurationProblem[],
  nested: readonly string[],
): Record<string, unknown> {
  const copy = newEmptyOptions()
  const names = Object.keys(source)
  if (names.length > maxMembers) problems.push(tooManyProblem(where))
  for (const name of names.slice(0, maxMembers)) {
    const path = where === '' ? name : `${where}.${name}`
    try {
      const value = (source as Record<string, unknown>)[name]
      // `Array.isArray` comes first, because it throws for every revoked proxy, also that of a function; the problem is added below.
      // Functions are copied as they are: an option such as `headers` may be one.
      const isNested = Array.isArray(value) || (typeof value === 'object' && nested.includes(name))
      copy[name] = isNested ? copyOptions(value, path, problems, nested) : value
    } catch {
      problems.push(unreadableProblem(path))
    }
  }
  return copy
}

function copyItems(source: readonly unknown[], where: string, problems: ConfigurationProblem[]): unknown[] {
  const { length } = source
  // Negated, because the length that a proxy reports can be NaN or not a number.
  if (!(length <= maxMembers)) {
    problems.push(tooManyProblem(where))
    return []
  }
  const copy: unknown[] = []
  for (let index = 0; index < length; index++) {
    try {
      copy.push(source[index])
    } catch {
      copy.push(undefined)
      problems.push(unreadableProblem(`${where}[${index}]`))
    }
  }
  return copy
}

/** Returns an object without a prototype, on which `__proto__` is an ordinary member. */
function newEmptyOptions(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

function tooManyProblem(path: string): ConfigurationProblem {
  return { code: 'SLUICE_OPTION_RANGE', path, message: `must not have more than ${maxMembers} members` }
}
