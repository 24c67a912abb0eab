import { statSync } from 'node:fs'
import { nearestName } from '../../options/nearest-name.ts'
import { ifExists } from '../../platform/node/file-options.ts'
import { readLineChunks } from '../../read/input/read-line-chunks.ts'
import { formatPath } from '../../read/query/format-query.ts'
import { keyGetter } from '../../read/query/key-lookup.ts'
import { severityInterval, suggestedLevels } from '../../read/query/level-severity.ts'
import type { Query, QueryKey } from '../../read/query/query.ts'
import { fieldOf } from '../../read/query/record-field.ts'
import type { AnyValueMap } from '../../record/any-value.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadRecord } from '../../read/record.ts'
import { newReader, type FileReading } from './read-files.ts'

/** What is read to find why nothing matched. */
type HintReading = Pick<FileReading, 'files' | 'input' | 'fieldNames'>

/** The maximum number of records that are searched for keys. */
const maxRecords = 10_000
/** Names of keys can be data. */
const maxNames = 1_000

/**
 * Returns sentences about what in a query is in none of the first records of the files, such as a misspelled key, after nothing has matched.
 * Inputs that can be read only once are not searched.
 */
export async function noMatchHints(query: Query, reading: HintReading): Promise<string[]> {
  const searches = conditionsOf(query).flatMap(searchesOf)
  const names = new Set<string>()
  const count = await readFirstRecords(reading, (record) => {
    for (const search of searches) search.isFound ||= search.isIn(record)
    addNames(names, record.attributes)
    addNames(names, record.resource)
  })
  if (count === 0) return []
  const scope = count < maxRecords ? `none of the ${count} records` : `none of the first ${maxRecords} records`
  const missing = searches.filter(({ isFound }) => !isFound).map(({ hint }) => `${scope} has ${hint([...names])}`)
  return [...new Set(missing)]
}

/** Reads records until there are enough, and returns their number. They are not kept, because each can be large. */
async function readFirstRecords(
  { files, ...options }: HintReading,
  onRecord: (record: ReadRecord) => void,
): Promise<number> {
  let count = 0
  const sink: RecordSink = {
    record(record) {
      if (count++ < maxRecords) onRecord(record)
    },
    text() {},
  }
  for (const file of files) {
    if (!isRegularFile(file)) continue
    const reader = newReader(file, { ...options, needed: undefined }, sink, true)
    for await (const chunk of readLineChunks(file, { onInputError() {}, reuseBuffer: true })) {
      reader.read(chunk)
      if (count >= maxRecords) return maxRecords
    }
  }
  return count
}

function isRegularFile(file: string): boolean {
  try {
    return statSync(file, ifExists)?.isFile() === true
  } catch {
    return false // Reading it has reported the error.
  }
}

/** A condition with a key, and the values that it requires. */
interface Condition {
  readonly key: QueryKey
  readonly values: readonly unknown[]
}

function conditionsOf(query: Query): readonly Condition[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.operands.flatMap(conditionsOf)
    case 'not':
      return conditionsOf(query.operand)
    case 'exists':
      return [{ key: { path: query.path, isOptional: false }, values: [] }]
    case 'text':
      return []
    default: {
      if (query.key.isOptional) return []
      const values = query.kind === 'comparison' ? [query.value] : query.kind === 'in' ? query.values : []
      return [{ key: query.key, values }]
    }
  }
}

/** What is searched in records, and the hint if it is in none. */
interface Search {
  isFound: boolean
  readonly isIn: (record: ReadRecord) => boolean
  /** @param names - the names of attributes that records have */
  readonly hint: (names: readonly string[]) => string
}

function searchesOf({ key, values }: Condition): Search[] {
  const field = fieldOf(key.path)
  if (field === 'traceId' || field === 'spanId') return values.flatMap((value) => idSearch(key, value, idDigits[field]))
  if (field === 'level') return values.flatMap(levelSearch)
  const get = keyGetter(key.path)
  const name = formatPath(key.path)
  return [
    {
      isFound: false,
      isIn: (record) => get(record) !== undefined,
      hint: (names) => `the key ${name}${suggestion(nearestName(name, names))}`,
    },
  ]
}

/** The number of digits of each ID. */
const idDigits = { traceId: 32, spanId: 16 }

function idSearch({ path }: QueryKey, value: unknown, digits: number): Search[] {
  const id = String(value)
  if (id.length === digits) return []
  const name = formatPath(path)
  const hint = `the ${name} ${id}, because an ID has ${digits} digits; for its first digits, write ${name} like ${id}*`
  return [{ isFound: false, isIn: () => false, hint: () => hint }]
}

function levelSearch(value: unknown): Search[] {
  if (typeof value !== 'string' || severityInterval(value) !== undefined) return []
  const name = value.toLowerCase()
  const hint = `the level ${value}${suggestion(nearestName(value, suggestedLevels))}`
  return [{ isFound: false, isIn: ({ level }) => level === name, hint: () => hint }]
}

function suggestion(name: string | undefined): string {
  return name === undefined ? '' : `; did you mean ${name}?`
}

/** Adds the names of attributes, and those of their members. */
function addNames(names: Set<string>, attributes: AnyValueMap, prefix = ''): void {
  for (const [name, value] of attributes) {
    if (names.size >= maxNames) return
    names.add(prefix + name)
    if (prefix === '' && value instanceof Map) addNames(names, value as AnyValueMap, `${name}.`)
  }
}
