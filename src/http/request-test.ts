import type { HttpRequest } from './exchange.ts'
import type { OptionErrors } from './option-errors.ts'

/** An option that selects requests: all or none, those with one of the listed paths, or those for which a function returns true. */
export type RequestSelection = boolean | readonly string[] | ((request: HttpRequest) => boolean)

/** Returns whether an option selects a request. Never throws. */
export type RequestTest = (request: HttpRequest, path: string, optionErrors: OptionErrors) => boolean

/**
 * Compiles an option that selects requests. Undefined selects none.
 *
 * @param option - its name, to report errors of the user's function
 */
export function compileRequestTest(option: string, selection: RequestSelection | undefined): RequestTest {
  if (typeof selection === 'function')
    return (request, _path, optionErrors) => optionErrors.callOption(option, () => selection(request)) === true
  if (typeof selection === 'object') return pathTest(selection)
  return () => selection === true
}

/** Returns a test for paths. A `*` at the end of a pattern matches any suffix. */
function pathTest(patterns: readonly string[]): RequestTest {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')))
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return (_, path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}
