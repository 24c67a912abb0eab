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
  /** The kind of the query. */
  readonly kind: 'and'
  /** At least two queries. */
  readonly operands: readonly Query[]
}

/** `a or b`: matches if one of the operands matches. */
export interface OrQuery {
  /** The kind of the query. */
  readonly kind: 'or'
  /** At least two queries. */
  readonly operands: readonly Query[]
}

/** `not a`: matches if the operand does not match. */
export interface NotQuery {
  /** The kind of the query. */
  readonly kind: 'not'
  /** The query that does not match. */
  readonly operand: Query
}

/** `key = value`, and the other comparisons. */
export interface ComparisonQuery {
  /** The kind of the query. */
  readonly kind: 'comparison'
  /** The key whose value is tested. */
  readonly key: QueryKey
  /** How the value of the record is compared with `value`. */
  readonly operator: ComparisonOperator
  /** What the value of the record is compared with. */
  readonly value: QueryValue
}

/** An operator that compares a key with one value. */
export type ComparisonOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/** `key in (a, b)` and `key not in (a, b)`. */
export interface InQuery {
  /** The kind of the query. */
  readonly kind: 'in'
  /** The key whose value is tested. */
  readonly key: QueryKey
  /** Whether the query is written with `not` or `!`. */
  readonly isNegated: boolean
  /** At least one value. */
  readonly values: readonly QueryValue[]
}

/** `key ~ 'expression'` and `key !~ 'expression'`: searches a text with a regular expression of JavaScript. */
export interface RegExpQuery {
  /** The kind of the query. */
  readonly kind: 'regexp'
  /** The key whose value is tested. */
  readonly key: QueryKey
  /** Whether the query is written with `not` or `!`. */
  readonly isNegated: boolean
  /** The source of the expression. */
  readonly source: string
  /** Its flags, such as `i`. */
  readonly flags: string
}

/** `key contains 'text'` and `key not contains 'text'`. */
export interface ContainsQuery {
  /** The kind of the query. */
  readonly kind: 'contains'
  /** The key whose value is tested. */
  readonly key: QueryKey
  /** Whether the query is written with `not` or `!`. */
  readonly isNegated: boolean
  /** The text that is searched. */
  readonly text: string
}

/** `key like 'a*'` and `key not like 'a*'`. */
export interface LikeQuery {
  /** The kind of the query. */
  readonly kind: 'like'
  /** The key whose value is tested. */
  readonly key: QueryKey
  /** Whether the query is written with `not` or `!`. */
  readonly isNegated: boolean
  /** The pattern: `*` matches any text, `?` matches one character, and `\` precedes a character that is matched literally. */
  readonly pattern: string
}

/** `exists(key)`: matches if the record has the key. */
export interface ExistsQuery {
  /** The kind of the query. */
  readonly kind: 'exists'
  /** The segments of the key. */
  readonly path: QueryPath
}

/** `'text'` alone: matches if the message, the event name, the value of an attribute, the trace ID or the span ID contains the text. */
export interface TextQuery {
  /** The kind of the query. */
  readonly kind: 'text'
  /** The text that is searched. */
  readonly text: string
}

/** The key in a comparison. */
export interface QueryKey {
  /** The segments of the key. */
  readonly path: QueryPath
  /** Whether the key is written with `?`: the comparison also matches if the record does not have the key. */
  readonly isOptional: boolean
}

/** The segments of a key, at least one: names and indexes of arrays. `a.b[0]` is `['a', 'b', 0]`. */
export type QueryPath = readonly (string | number)[]

/** A value in a query. Integers that a number cannot represent exactly are bigints. */
export type QueryValue = string | number | bigint | boolean | null
