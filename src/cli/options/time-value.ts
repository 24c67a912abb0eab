import { parseTimeText, timeTextForms, type TimeTextOptions } from '../../read/time/time-text.ts'
import type { OptionName } from './definition.ts'
import type { ParsedOptions } from './parsed-options.ts'
import { UsageError } from './usage-error.ts'

/**
 * Returns the value of an option as milliseconds since the Unix epoch; undefined if the option is not set.
 *
 * @throws UsageError if it is not a time.
 */
export function timeValue(options: ParsedOptions, name: OptionName, context: TimeTextOptions): number | undefined {
  const text = options.value(name)
  if (text === undefined) return undefined
  const time = parseTimeText(text, context)
  if (time !== undefined) return time
  throw new UsageError(`--${name}: '${text}' is not a time; write ${timeTextForms}`)
}
