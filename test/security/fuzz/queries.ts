import * as fc from 'fast-check'
import { compileQuery } from '../../../src/read/query/compile-query.ts'
import { formatQuery } from '../../../src/read/query/format-query.ts'
import { parseQuery } from '../../../src/read/query/parse-query.ts'
import { QueryError } from '../../../src/read/query/query-error.ts'
import type { Query } from '../../../src/read/query/query.ts'
import { requiredText } from '../../../src/read/query/required-text.ts'
import { queryTexts } from '../../read/query/query-texts.ts'
import { recordWith } from '../../read/query/records.ts'
import { target, type Target } from './target.ts'

const record = recordWith({ a: 'xxaab', 'a.b': [1, null, '<'], and: 'AND', like: 1n }, { message: 'x y' })

/**
 * Texts of queries: each is parsed and tests a record, or is rejected with a QueryError whose message and excerpt are safe in a terminal. The
 * text of a parsed query is parsed to an equal query.
 */
export const queries: Target<unknown> = target('queries', fc.record({ text: queryTexts }), ({ text }) => {
  const query = parsed(text)
  if (query === undefined) return
  compileQuery(query)(record)
  requiredText(query)
  const again = parseQuery(formatQuery(query))
  if (jsonOf(again) !== jsonOf(query)) throw new Error('the text of the query is parsed to another query')
})

/** Returns the query; undefined if it is rejected. */
function parsed(text: string): Query | undefined {
  try {
    return parseQuery(text)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const { position, message, excerpt } = error
    if (!(position >= 0 && position <= text.length))
      throw new Error(`the position ${position} is not in the text`, { cause: error })
    const lines = excerpt.split('\n')
    if (lines.length !== 2 || /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(message + lines.join('')))
      throw new Error('the message is not safe in a terminal', { cause: error })
    return undefined
  }
}

function jsonOf(query: Query): string {
  return JSON.stringify(query, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}
