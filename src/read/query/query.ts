/**
 * A parsed query. `parseQuery` creates it from text, `formatQuery` creates text from it, and `compileQuery` creates a function that tests
 * records.
 */
export type Query =
  | AndQuery
  | OrQuery
  | NotQuery
  | ComparisonQuery
  | InQuery
  | RegExpQuery
  | ContainsQuery
  | LikeQuery
  | ExistsQuery
  | TextQuery

/** `a and b`: matches if all operands match. */
export interface AndQuery {
  readonly kind: 'and'
  /** At least two queries. */
  readonly operands: readonly Query[]
}

/** `a or b`: matches if one of the operands matches. */
export interface OrQuery {
  readonly kind: 'or'
  /** At least two queries. */
  readonly operands: readonly Query[]
}

/** `not a`: matches if the operand does not match. */
export interface NotQuery {
  readonly kind: 'not'
  readonly operand: Query
}

/** `key = value`, and the other comparisons. */
export interface ComparisonQuery {
  readonly kind: 'comparison'
  readonly key: QueryKey
  readonly operator: ComparisonOperator
  readonly value: QueryValue
}

/** An operator that compares a key with one value. */
export type ComparisonOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/** `key in (a, b)` and `key not in (a, b)`. */
export interface InQuery {
  readonly kind: 'in'
  readonly key: QueryKey
  readonly isNegated: boolean
  /** At least one value. */
  readonly values: readonly QueryValue[]
}

/** `key ~ 'expression'` and `key !~ 'expression'`: searches a text with a regular expression of JavaScript. */
export interface RegExpQuery {
  readonly kind: 'regexp'
  readonly key: QueryKey
  readonly isNegated: boolean
  /** The source of the expression. */
  readonly source: string
  /** Its flags, such as `i`. */
  readonly flags: string
}

/** `key contains 'text'` and `key not contains 'text'`. */
export interface ContainsQuery {
  readonly kind: 'contains'
  readonly key: QueryKey
  readonly isNegated: boolean
  readonly text: string
}

/** `key like 'a*'` and `key not like 'a*'`. */
export interface LikeQuery {
  readonly kind: 'like'
  readonly key: QueryKey
  readonly isNegated: boolean
  /** The pattern: `*` matches any text, `?` matches one character, and `\` precedes a character that is matched literally. */
  readonly pattern: string
}

/** `exists(key)`: matches if the record has the key. */
export interface ExistsQuery {
  readonly kind: 'exists'
  readonly path: QueryPath
}

/** `'text'` alone: matches if the message, the event name, the value of an attribute, the trace ID or the span ID contains the text. */
export interface TextQuery {
  readonly kind: 'text'
  readonly text: string
}

/** The key in a comparison. */
export interface QueryKey {
  readonly path: QueryPath
  /** Whether the key is written with `?`: the comparison also matches if the record does not have the key. */
  readonly isOptional: boolean
}

/** The segments of a key, at least one: names and indexes of arrays. `a.b[0]` is `['a', 'b', 0]`. */
export type QueryPath = readonly (string | number)[]

/** A value in a query. Integers that a number cannot represent exactly are bigints. */
export type QueryValue = string | number | bigint | boolean | null
