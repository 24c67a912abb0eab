import { formatQuery } from '../../read/query/format-query.ts'
import type { QueryPath, QueryValue } from '../../read/query/query.ts'
import { addToQuery } from './state.ts'

/** Shows only records with a value, or only records without it. */
export function addCondition(path: QueryPath, operator: '=' | '!=', value: QueryValue): void {
  // A record without the key does not have the value either.
  addToQuery(formatQuery({ kind: 'comparison', key: { path, isOptional: operator === '!=' }, operator, value }))
}

/** Returns the path of an attribute. A name with dots is easier to read without quotes, and is found by its whole name too. */
export function pathOfName(name: string): QueryPath {
  return /^[\w-]+(?:\.[\w-]+)*$/.test(name) ? name.split('.') : [name]
}
