import { member } from '../../../options/own-members.ts'
import { requireSynchronous } from '../../../options/observe-promise.ts'
import { callback, list } from '../../../options/option-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../../options/configuration-error.ts'
import type { Format, TransformableInfo } from '../info.ts'

/** The function of a format: it returns the info, changed or not, or a falsy value to omit the record. */
export type Transform = (info: TransformableInfo, options?: unknown) => TransformableInfo | boolean

/** Creates formats of one kind. */
export type FormatWrap<O = unknown> = (options?: O) => Format

/**
 * Defines a kind of format by its function. Calling the result creates a format of this kind.
 *
 * @throws ConfigurationError if it is not a function, or has more than two parameters.
 */
export function defineFormat<O = unknown>(
  transform: (info: TransformableInfo, options: O) => TransformableInfo | boolean,
): FormatWrap<O> {
  const problems: ConfigurationProblem[] = []
  callback(transform, 'format', problems)
  if (problems.length === 0 && transform.length > 2) {
    const message = 'must be a synchronous function of an info and options that returns the info'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'format', message })
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return (options) => ({ transform, options: options ?? {} })
}

/**
 * Applies formats in order, until one omits the record.
 *
 * @throws ConfigurationError if an argument is not a format.
 */
export function combine(...formats: readonly Format[]): Format {
  const problems: ConfigurationProblem[] = []
  list(checkFormat)(formats, 'format.combine', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return {
    transform(given) {
      let info: TransformableInfo | boolean = given
      for (const format of formats) {
        info = requireSynchronous(format.transform(info as TransformableInfo, member(format, 'options')), 'a format')
        if (!info) return false
      }
      return info
    },
    options: {},
  }
}

/** Checks an option whose value must be a format. */
export function checkFormat(value: unknown, where: string, problems: ConfigurationProblem[]): void {
  if (typeof member(Object(value) as Partial<Format>, 'transform') === 'function') return
  const message = 'must be a format, such as format.json(); call the function that format(fn) returns'
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message })
}
