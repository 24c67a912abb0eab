import { severityName } from '../../record/severity.ts'
import { compileQuery, type RecordPredicate } from '../../read/query/compile-query.ts'
import type { Query, QueryPath } from '../../read/query/query.ts'
import { fieldGetters, fieldOf, type RecordField } from '../../read/query/record-field.ts'
import type { ReadRecord } from '../../read/record.ts'
import { hashOfTrace } from '../otlp/log-head.ts'
import { OtlpRecord, type RecordSource } from '../otlp/otlp-record.ts'
import type { LogStore } from '../store/log-store.ts'
import type { Segment } from '../store/segment.ts'

/** The results of a column test. */
export const no = 0
export const yes = 1
/** The bytes of the record must be read. */
export const unknown = 2

/** Returns whether a record matches a query, by the columns of the store alone. */
export type ColumnTest = (segment: Segment, index: number) => 0 | 1 | 2

/** Returns the part of a query that needs only the columns of the store; undefined if the bytes of all records must be read. */
export function columnTest(query: Query, store: LogStore): ColumnTest | undefined {
  switch (query.kind) {
    case 'and':
      return allOf(query.operands.map((operand) => columnTest(operand, store)))
    case 'or':
      return anyOf(query.operands.map((operand) => columnTest(operand, store)))
    case 'not':
      return negated(columnTest(query.operand, store))
    case 'text':
    case 'regexp':
      return undefined
    case 'exists':
      return sourceTest(query, query.path, store)
    default:
      return leafTest(query, query.key.path, store)
  }
}

type LeafQuery = Extract<Query, { readonly key: unknown }>

function leafTest(query: LeafQuery, path: QueryPath, store: LogStore): ColumnTest | undefined {
  const field = fieldOf(path)
  if (field === 'level' || field === 'severityNumber') return severityTest(query, field)
  if (field === 'traceId') return traceTest(query)
  return sourceTest(query, path, store)
}

const maxSeverityNumber = 24

/** Tests the severity numbers of records whose levels have the usual names. */
function severityTest(query: LeafQuery, field: 'level' | 'severityNumber'): ColumnTest | undefined {
  if (query.kind !== 'comparison' && query.kind !== 'in') return undefined
  const predicate = compileQuery(query)
  const results = Array.from({ length: maxSeverityNumber + 1 }, (_, severityNumber) => {
    // A record without a number can have an attribute of this name.
    if (field === 'severityNumber' && severityNumber === 0) return unknown
    const level = severityNumber === 0 ? '' : severityName(severityNumber)
    return predicate({ level, severityNumber, severityText: undefined } as unknown as ReadRecord) ? yes : no
  })
  return ({ customLevels, severities }, index) =>
    customLevels[index] === 1 ? unknown : (results[severities[index]!] ?? unknown)
}

/** The hash of an invalid trace ID, and of one in 2^32 others. */
const ambiguousHash = 1

function traceTest(query: LeafQuery): ColumnTest | undefined {
  if (query.kind !== 'comparison' || query.operator !== '=' || query.key.isOptional) return undefined
  const traceId = String(query.value).toLowerCase()
  if (!/^[\da-f]{32}$/.test(traceId)) return undefined
  const hash = hashOfTrace(traceId)
  // A record without a trace can have an attribute of this name.
  return ({ traces }, index) => (traces[index]! <= ambiguousHash || traces[index] === hash ? unknown : no)
}

/** The parts of a record that are those of its source. */
const sourceFields: ReadonlySet<RecordField | undefined> = new Set<RecordField>([
  'service',
  'scope',
  'format',
  'file',
  'container',
  'stream',
])
const noBytes = Buffer.alloc(0)

function sourceTest(query: Query, path: QueryPath, store: LogStore): ColumnTest | undefined {
  const field = fieldOf(path)
  if (field === undefined || !sourceFields.has(field)) return undefined
  const predicate = compileQuery(query)
  return ofSource(store, (source) => resultFor(source, field, predicate))
}

function resultFor(source: RecordSource, field: RecordField, predicate: RecordPredicate): 0 | 1 | 2 {
  const record = new OtlpRecord(noBytes, source)
  // Without it, an attribute of the record is found by the same name.
  if (fieldGetters[field](record) === undefined) return unknown
  return predicate(record) ? yes : no
}

/** Returns a test that is computed once for each source, by its number. Numbers are used again for other sources. */
export function ofSource<T>(
  store: LogStore,
  test: (source: RecordSource) => T,
): (segment: Segment, index: number) => T {
  const results: { readonly source: RecordSource; readonly result: T }[] = []
  return ({ sources }, index) => {
    const number = sources[index]!
    const source = store.sources.get(number)
    const known = results[number]
    if (known?.source === source) return known.result
    const result = test(source)
    results[number] = { source, result }
    return result
  }
}

function allOf(tests: readonly (ColumnTest | undefined)[]): ColumnTest | undefined {
  const known = tests.filter((test) => test !== undefined)
  if (known.length === 0) return undefined
  const isComplete = known.length === tests.length
  return (segment, index) => {
    let result: 0 | 1 | 2 = isComplete ? yes : unknown
    for (const test of known) {
      const each = test(segment, index)
      if (each === no) return no
      if (each === unknown) result = unknown
    }
    return result
  }
}

function anyOf(tests: readonly (ColumnTest | undefined)[]): ColumnTest | undefined {
  return negated(allOf(tests.map(negated)))
}

function negated(test: ColumnTest | undefined): ColumnTest | undefined {
  if (test === undefined) return undefined
  return (segment, index) => {
    const result = test(segment, index)
    return result === unknown ? unknown : result === yes ? no : yes
  }
}
