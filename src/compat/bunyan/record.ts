import { inspect } from 'node:util'
import { redactedTextsOf, safeErrorTexts, withRedactedStack } from '../shared/redacted-error.ts'
import type { JsonText } from '../shared/json-text.ts'
import { formatted } from '../shared/message.ts'
import { copyMembers, hostileKeys, put } from '../shared/own-members.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import { redacted } from '../../redact/censor.ts'
import { callerOf } from './caller.ts'
import type { Instance } from './instance.ts'
import { stdSerializers, type Serializers } from './std-serializers.ts'
import { setMember } from '../../options/define-member.ts'

/** A record as bunyan makes it: what raw streams get. */
export interface BunyanRecord extends Record<string, unknown> {
  level: unknown
  msg: string
  time: unknown
  v: number
}

/** What a call said. */
interface Said {
  /** Its fields, serialized. */
  readonly fields: Record<string, unknown> | undefined
  /** Where the first argument or the field `err` is an Error. */
  readonly error: Error | undefined
  readonly message: string
}

/** A record, and what is told exporters of it. */
export interface RecordParts {
  readonly record: BunyanRecord
  readonly attributes: Record<string, unknown> | undefined
}

const formatVersion = 0
const nothing = {}

/** Makes the record of a call. `method`: who was called. Never throws. */
export function makeRecord(logger: Instance, level: number, args: unknown[], method: () => unknown): RecordParts {
  const { fields, error, message } = parseCall(logger, args)
  const { fields: bound } = logger
  // An assignment to an ordinary object would call a setter of Object.prototype.
  const isCareful = isRecordPolluted()
  const record = (isCareful ? ownCopy({}) : {}) as BunyanRecord
  for (const key of Object.keys(bound)) put(record, key, bound[key])
  record.level = level
  for (const key of Object.keys(fields ?? nothing)) put(record, key, fields![key])
  if (!isLevel(record.level)) asAttribute(record, level)
  record.msg = message
  if (!member(record, 'time')) record.time = new Date()
  if (logger.src && !member(record, 'src')) record['src'] = callerOf(method)
  record.v = formatVersion
  const made = isCareful ? { ...record } : record
  if (logger.parts.records === undefined) return { record: made, attributes: undefined }
  // The exception of a record is made of the Error itself, unless a serializer makes something else of it.
  const attributes = error === undefined || hasOwnErr(logger) ? { ...fields } : { ...fields, err: error }
  return { record: made, attributes }
}

function hasOwnErr({ serializers }: Instance): boolean {
  const err = serializers === null ? undefined : member(serializers, 'err')
  return err !== undefined && err !== stdSerializers.err
}

/** What is said where a record could not be made. */
export function bareRecord(level: number, msg: string): BunyanRecord {
  return { pid: process.pid, level, msg, time: new Date(), v: formatVersion }
}

/** Returns whether `Object.prototype` has a member that each record is given by its name. */
function isRecordPolluted(): boolean {
  const hasOne = 'level' in nothing || 'msg' in nothing || 'time' in nothing
  return hasOne || 'v' in nothing || 'src' in nothing || 'attributes' in nothing
}

/** Whether a stream can tell by it what goes there. */
function isLevel(level: unknown): boolean {
  if (typeof level === 'number') return level >= 0
  try {
    return (level as number) >= 0
  } catch {
    return false
  }
}

/** What is no level stands elsewhere: no stream would take the record. */
function asAttribute(record: BunyanRecord, level: number): void {
  let name = 'attributes'
  while (Object.hasOwn(record, name)) name = `_${name}`
  record[name] = { level: record.level }
  record.level = level
}

function parseCall(logger: Instance, args: unknown[]): Said {
  const [first] = args
  const { json } = logger.parts
  if (typeof first !== 'object' || isArray(first)) {
    return { fields: undefined, error: undefined, message: formatted(args, json) }
  }
  if (isError(first)) return parseErrorCall(logger, first, args)
  if (isBytes(first) || isHidden(first, json)) {
    return {
      fields: undefined,
      error: undefined,
      message: formatted([bytesText(first as Buffer, json), ...args.slice(1)], json),
    }
  }
  const { hookFailures } = logger.parts
  const fields = first === null ? undefined : copyMembers({}, first, hookFailures)
  const error = fields !== undefined && isError(member(fields, 'err')) ? (fields['err'] as Error) : undefined
  const own = args.length === 1 && error !== undefined
  const message = formatted(own ? [messageOf(error)] : args.slice(1), json)
  if (fields !== undefined && logger.serializers !== null) serialize(logger, fields)
  return error === undefined ? { fields, error, message } : safe(logger, fields!, error, message)
}

function parseErrorCall(logger: Instance, error: Error, args: unknown[]): Said {
  const { json } = logger.parts
  const { err = stdSerializers.err } = ownCopy(logger.serializers ?? {}) as Partial<Serializers>
  const text = serialized(logger, 'err', err as (value: unknown) => unknown, error)
  const own = args.length === 1
  const message = formatted(own ? [messageOf(text)] : args.slice(1), json)
  return safe(logger, { err: text }, error, message)
}

function safe(logger: Instance, fields: Record<string, unknown>, error: Error, message: string): Said {
  const texts = safeErrorTexts(error, { err: fields['err'], message }, logger.parts.json)
  setMember(fields, 'err', texts.err)
  return { fields, error, message: texts.message! }
}

function messageOf(error: unknown): unknown {
  try {
    return member(Object(error) as Error, 'message')
  } catch {
    return undefined
  }
}

/** Bytes as Node inspects them, in hexadecimal digits, unless they hold what must not be shown. */
function bytesText(bytes: Buffer, json: JsonText): string {
  return isHidden(bytes, json) ? redacted : inspect(bytes)
}

function isHidden(value: unknown, { hides }: JsonText): boolean {
  return hides !== undefined && ArrayBuffer.isView(value) && hides(value)
}

function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value)
  } catch {
    return false // a revoked proxy
  }
}

function isBytes(value: unknown): boolean {
  try {
    return Buffer.isBuffer(value)
  } catch {
    return false
  }
}

/** Has the logger's serializers make of fields what is logged of them. */
export function serialize(logger: Instance, fields: Record<string, unknown>): void {
  const serializers = logger.serializers as Record<string, (value: unknown) => unknown>
  for (const name of hostileKeys(serializers)) {
    if (!Object.hasOwn(fields, name) || fields[name] === undefined) continue
    const covered = redactedTextsOf(fields, name, logger.parts.json.stateAt(name))
    const value = serialized(logger, name, serializers[name]!, fields[name])
    fields[name] = covered === undefined ? value : withRedactedStack(value, covered)
  }
}

function serialized(logger: Instance, name: string, serializer: (value: unknown) => unknown, value: unknown): unknown {
  try {
    const answer = serializer.call(logger.serializers, value)
    logger.parts.hookFailures.observe(`the serializer of ${JSON.stringify(name)}`, answer)
    return answer
  } catch (error) {
    logger.parts.hookFailures.threw(`the serializer of ${JSON.stringify(name)}`, error)
    return `(Error in Bunyan log "${name}" serializer broke field. See stderr for details.)`
  }
}
