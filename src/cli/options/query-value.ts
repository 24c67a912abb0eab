import { parseQuery } from '../../read/query/parse-query.ts'
import type { Query } from '../../read/query/query.ts'
import { QueryError } from '../../read/query/query-error.ts'
import type { OptionName } from './definition.ts'
import { UsageError } from './usage-error.ts'

/**
 * Parses the value of an option that is a query.
 *
 * @throws UsageError, with an excerpt of the query, if it is not valid.
 */
export function queryValue(text: string, name: OptionName): Query {
  try {
    return parseQuery(text)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    throw new UsageError(`--${name}: ${error.reason}`, error.excerpt)
  }
}
