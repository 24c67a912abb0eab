import { ignoreRejection } from '../options/observe-promise.ts'
import { oneLine } from '../options/one-line.ts'
import { compileQuery } from './query/compile-query.ts'
import { parseQuery } from './query/parse-query.ts'
import type { Query } from './query/query.ts'
import { QueryError } from './query/query-error.ts'
import type { RecordSelection } from './read-logs-options.ts'
import type { ReadRecord } from './record.ts'

/**
 * Returns the function that selects records. If a function of the caller throws, so does it, with the option and the line in the message and
 * the thrown value as the cause.
 *
 * @param option - the name of the option, for errors
 * @throws QueryError, with the name of the option, if the selection is not a valid query.
 */
export function recordSelector(selection: RecordSelection, option: string): (record: ReadRecord) => boolean {
  if (typeof selection === 'string') return compileQuery(parseQueryOption(selection, option))
  return (record) => {
    let result: unknown
    try {
      result = selection(record)
    } catch (cause) {
      throw new Error(`readLogs: ${option} threw for ${place(record)}: ${textOf(cause)}`, { cause })
    }
    if (ignoreRejection(result)) {
      throw new TypeError(`readLogs: ${option} returned a promise for ${place(record)}; it must return true or false`)
    }
    return Boolean(result)
  }
}

/** Parses an option of `readLogs` that is a query. An error has the name of the option. */
function parseQueryOption(text: string, option: string): Query {
  try {
    return parseQuery(text)
  } catch (error) {
    throw error instanceof QueryError ? new QueryError(text, error, option) : error
  }
}

function place({ origin }: ReadRecord): string {
  return `line ${origin.line} of ${origin.file}`
}

function textOf(thrown: unknown): string {
  try {
    return oneLine(String(thrown), maxTextLength)
  } catch {
    return 'a value that cannot be converted to text'
  }
}

const maxTextLength = 100
