import { withoutPrototype } from '../../options/own-members.ts'
import { isErrorLike } from './exceptions.ts'
import { isMembers, memberOf, type JsonMembers } from './json-members.ts'
import { messageText } from './json-values.ts'
import { traceFields, type JsonFormat } from './json-format.ts'

/** The member with tslog's own data: in version 5, and in earlier ones. */
const metaNames = ['_logMeta', '_meta']

/** The JSON lines of tslog 4 and 5. */
export const tslogFormat: JsonFormat = withoutPrototype({
  name: 'tslog',
  fields: {
    time: ['_meta.date'],
    level: ['_meta.logLevelName'],
    message: ['message'],
    scope: ['_meta.name'],
    exception: ['error'],
    ...traceFields,
  },
  resource: {
    '_meta.hostname': 'host.name',
    '_meta.runtime': 'process.runtime.name',
    '_meta.runtimeVersion': 'process.runtime.version',
  },
  ignored: ['_meta.v', '_meta.parentNames'],
  levels: 'tslog',
  prepare: prepared,
})

/** Members in which tslog 5 repeats its own data. */
const version5Names = ['level', 'levelId', 'time']

/** Returns the data of tslog in the members of a line; undefined if it is not a line of tslog. */
export function tslogMetaOf(members: JsonMembers): JsonMembers | undefined {
  for (const name of metaNames) {
    const meta = memberOf(members, name)
    if (isMembers(meta) && Object.hasOwn(meta, 'logLevelId')) return meta
  }
  return undefined
}

/**
 * Returns the members with the message, the error and the attributes of the arguments. tslog 4 writes several arguments as the members `0`,
 * `1` and so on, and spreads a single object.
 */
function prepared(members: JsonMembers): JsonMembers {
  const entries = new Map<string, unknown>()
  const texts: string[] = []
  const meta = tslogMetaOf(members)
  const isVersion4 = Object.hasOwn(members, '_meta')
  for (const key of Object.keys(members)) {
    const value = members[key]
    if (metaNames.includes(key) || (!isVersion4 && version5Names.includes(key))) continue
    if (!isVersion4 || !/^\d+$/.test(key)) entries.set(key, value)
    else if (!isMembers(value)) texts.push(messageText(value))
    else if (isErrorLike(value) && !entries.has('error')) entries.set('error', value)
    else for (const name of Object.keys(value)) entries.set(entries.has(name) ? `${key}.${name}` : name, value[name])
  }
  if (isVersion4 && isMembers(memberOf(members, 'nativeError'))) {
    const error = Object.fromEntries(entries)
    entries.clear()
    entries.set('error', error)
  }
  if (texts.length > 0) entries.set('message', texts.join(' '))
  if (meta !== undefined) addMeta(entries, meta)
  // `fromEntries` defines members, so `__proto__` becomes an ordinary one.
  return Object.fromEntries(entries)
}

function addMeta(entries: Map<string, unknown>, meta: JsonMembers): void {
  const path = memberOf(meta, 'path')
  const level = memberOf(meta, 'logLevelName') ?? memberOf(meta, 'logLevelId')
  const parents = memberOf(meta, 'parentNames')
  const name = memberOf(meta, 'name')
  const scope = [...(Array.isArray(parents) ? (parents as unknown[]) : []), name].filter(
    (part) => typeof part === 'string',
  )
  const rest = new Map(Object.entries(meta))
  rest.delete('path')
  rest.delete('logLevelId')
  rest.set('logLevelName', level)
  if (scope.length > 0) rest.set('name', scope.join(':'))
  entries.set('_meta', Object.fromEntries(rest))
  if (!isMembers(path)) return
  for (const [attribute, member] of sourceMembers) {
    const value = memberOf(path, member)
    if (typeof value === 'string' && value !== '[undefined]') entries.set(attribute, value)
  }
}

/** The position in the source, with the attributes of OpenTelemetry's conventions. */
const sourceMembers = [
  ['code.file.path', 'filePath'],
  ['code.line.number', 'fileLine'],
  ['code.function.name', 'method'],
] as const
