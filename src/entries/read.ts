export { readLogs } from '../read/read-logs.ts'
export type { MappedField, ReadLogsOptions, ReadTime, RecordSelection } from '../read/read-logs-options.ts'
export type { FormatName, ReadRecord, RecordOrigin } from '../read/record.ts'
export { InputError } from '../read/input/input-error.ts'
export { TemporaryFileError } from '../read/repeatable/temporary-file-error.ts'
export { parseQuery } from '../read/query/parse-query.ts'
export { formatQuery } from '../read/query/format-query.ts'
export { compileQuery, type CompileQueryOptions, type RecordPredicate } from '../read/query/compile-query.ts'
export { QueryError, type QueryProblem } from '../read/query/query-error.ts'
export { QueryTimeoutError } from '../read/query/query-timeout-error.ts'
export type {
  AndQuery,
  ComparisonOperator,
  ComparisonQuery,
  ContainsQuery,
  ExistsQuery,
  InQuery,
  LikeQuery,
  NotQuery,
  OrQuery,
  Query,
  QueryKey,
  QueryPath,
  QueryValue,
  RegExpQuery,
  TextQuery,
} from '../read/query/query.ts'
export type { TimeTextOptions } from '../read/time/time-text.ts'
export type { AnyValue, AnyValueMap } from '../record/any-value.ts'
export { ConfigurationError } from '../options/configuration-error.ts'
export type { ConfigurationProblem } from '../options/configuration-error.ts'
