// Checked by the compiler only: the types of `sluice/read`.
import { expectTypeOf } from 'expect-type'
import { compileQuery, formatQuery, parseQuery, readLogs } from '../../src/entries/read.ts'
import type { AnyValueMap, FormatName, Query, ReadLogsOptions, InputError, ReadRecord } from '../../src/entries/read.ts'

expectTypeOf(readLogs('app.log')).toEqualTypeOf<AsyncIterableIterator<ReadRecord, undefined>>()
readLogs(['a.log', '-'] as const)
for await (const record of readLogs('app.log')) {
  expectTypeOf(record.message).toEqualTypeOf<string | undefined>()
  expectTypeOf(record.attributes).toEqualTypeOf<AnyValueMap>()
  expectTypeOf(record.format).toEqualTypeOf<FormatName>()
  // @ts-expect-error records are read-only
  record.level = 'info'
}

// Options
readLogs('a', { where: 'level>=warn', level: 'warn', since: '-3d', until: new Date(), tail: 10, follow: true })
readLogs('a', { where: (record) => record.severityNumber >= 9, level: 13, input: 'pino', map: { level: 'severity' } })
readLogs('a', { onError: (error) => expectTypeOf(error).toEqualTypeOf<InputError>() })
readLogs('a', { signal: AbortSignal.timeout(1), sort: true, text: true, traceOf: 'a=1' })
// @ts-expect-error unknown option
readLogs('a', { query: 'a=1' })
// @ts-expect-error unknown format
readLogs('a', { input: 'simpel' })
// @ts-expect-error unknown field
readLogs('a', { map: { lvl: 'severity' } })
// @ts-expect-error a promise is not a boolean
readLogs('a', { where: async () => true })
expectTypeOf<ReadLogsOptions['where']>().toEqualTypeOf<string | ((record: ReadRecord) => boolean) | undefined>()

// Queries
expectTypeOf(parseQuery('a=1')).toEqualTypeOf<Query>()
expectTypeOf(formatQuery(parseQuery('a=1'))).toEqualTypeOf<string>()
expectTypeOf(compileQuery(parseQuery('a=1'))).toEqualTypeOf<(record: ReadRecord) => boolean>()
formatQuery({ kind: 'exists', path: ['a', 0] })
// @ts-expect-error unknown kind of query
formatQuery({ kind: 'exist', path: ['a'] })
