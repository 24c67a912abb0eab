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
  const records = await firstRecords(reading)
  if (records.length === 0) return []
  const scope =
    records.length < maxRecords ? `none of the ${records.length} records` : `none of the first ${maxRecords} records`
  return [...new Set(conditionsOf(query).flatMap((condition) => hintsOf(condition, records)))].map(
    (hint) => `${scope} has ${hint}`,
  )
}

async function firstRecords({ files, ...options }: HintReading): Promise<readonly ReadRecord[]> {
  const records: ReadRecord[] = []
  for (const file of files) {
    if (statSync(file, ifExists)?.isFile() !== true) continue
    const reader = newReader(
      file,
      { ...options, needed: undefined },
      { record: (record) => void records.push(record), text() {} },
    )
    for await (const chunk of readLineChunks(file, { onInputError() {} })) {
      reader.read(chunk)
      if (records.length >= maxRecords) return records.slice(0, maxRecords)
    }
  }
  return records
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

function hintsOf({ key, values }: Condition, records: readonly ReadRecord[]): string[] {
  const field = fieldOf(key.path)
  if (field === 'traceId' || field === 'spanId') return values.flatMap((value) => idHint(key, value, idDigits[field]))
  if (field === 'level') return values.flatMap((value) => levelHint(value, records))
  const get = keyGetter(key.path)
  if (records.some((record) => get(record) !== undefined)) return []
  const name = formatPath(key.path)
  return [`the key ${name}${suggestion(nearestName(name, namesOf(records)))}`]
}

/** The number of digits of each ID. */
const idDigits = { traceId: 32, spanId: 16 }

function idHint({ path }: QueryKey, value: unknown, digits: number): string[] {
  const id = String(value)
  if (id.length === digits) return []
  const name = formatPath(path)
  return [`the ${name} ${id}, because an ID has ${digits} digits; for its first digits, write ${name} like ${id}*`]
}

function levelHint(value: unknown, records: readonly ReadRecord[]): string[] {
  if (typeof value !== 'string' || severityInterval(value) !== undefined) return []
  if (records.some(({ level }) => level === value.toLowerCase())) return []
  return [`the level ${value}${suggestion(nearestName(value, suggestedLevels))}`]
}

function suggestion(name: string | undefined): string {
  return name === undefined ? '' : `; did you mean ${name}?`
}

/** Returns the names of the attributes of records. */
function namesOf(records: readonly ReadRecord[]): readonly string[] {
  const names = new Set<string>()
  const add = (attributes: AnyValueMap, prefix: string): void => {
    for (const [name, value] of attributes) {
      if (names.size >= maxNames) return
      names.add(prefix + name)
      if (prefix === '' && value instanceof Map) add(value as AnyValueMap, `${name}.`)
    }
  }
  for (const { attributes, resource } of records) {
    add(attributes, '')
    add(resource, '')
  }
  return [...names]
}
