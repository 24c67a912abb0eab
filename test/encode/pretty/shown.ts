import { encoderFor } from '../../../src/encode/encoding.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import type { PrettyOptions } from '../../../src/encode/pretty/settings.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import { recordOf, rules } from '../../support/values/records.ts'

/** Returns the lines of records, without the time and the level of the first line. */
export function shownLines(records: readonly LogRecord[], options: PrettyOptions = {}): string[] {
  const encoder = encoderFor(pretty({ time: 'utc', ...options }), rules)
  const text = records.map((record) => encoder.encode(record) as string).join('')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^09:56:03\.123 INFO {2}/, ''))
}

/** Returns the lines of a record with the message `m` and these attributes. */
export function shown(attributes: object, options: PrettyOptions = {}): string[] {
  return shownLines([recordOf({ body: 'm', attributes })], options)
}
