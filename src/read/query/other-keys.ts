import type { QueryPath } from './query.ts'

/** The keys of records by the names that other loggers write for the same value. */
const otherKeys: ReadonlyMap<string, string> = new Map([
  ['err.type', 'exception.type'],
  ['err.name', 'exception.type'],
  ['error.type', 'exception.type'],
  ['error.name', 'exception.type'],
  ['err.message', 'exception.message'],
  ['error.message', 'exception.message'],
  ['err.stack', 'exception.stacktrace'],
  ['error.stack', 'exception.stacktrace'],
  ['stack', 'exception.stacktrace'],
  ['pid', 'process.pid'],
  ['hostname', 'host.name'],
  ['name', 'scope'],
])

/** Returns the key that a record has for a name of another logger; undefined for other keys. */
export function otherKeyOf(path: QueryPath): QueryPath | undefined {
  const key = otherKeys.get(path.join('.'))
  return key === undefined ? undefined : key.split('.')
}
