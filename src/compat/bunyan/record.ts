import { inspect } from 'node:util'
import { redactedTextsOf, safeErrorTexts, withRedactedStack } from '../shared/redacted-error.ts'
import type { JsonText } from '../shared/json-text.ts'
import { formatted } from '../shared/message.ts'
import { copyMembers, hostileKeys, setOwn } from '../shared/set-own.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import { redacted } from '../../redact/censor.ts'
import { callerOf } from './caller.ts'
import type { Instance, BunyanRecord } from './instance.ts'
import { stdSerializers, type Serializers } from './std-serializers.ts'
import { setMember } from '../../options/define-member.ts'

/** The parsed arguments of a log call. */
interface ParsedCall {
  /** Serialized fields. */
  readonly fields: Record<string, unknown> | undefined
  /** The Error that is the first argument or the field `err`. */
  readonly error: Error | undefined
  readonly message: string
}

/** A record for streams and its attributes for exporters. */
export interface RecordParts {
  readonly record: BunyanRecord
  readonly attributes: Record<string, unknown> | undefined
}

const formatVersion = 0
const nothing = {}

/**
 * Builds the record of a call. Never throws.
 *
 * @param method - the log method that was called, to find the source location
 */
export function makeRecord(logger: Instance, level: number, args: unknown[], method: () => unknown): RecordParts {
  const { fields, error, message } = parseCall(logger, args)
  const { fields: bound } = logger
  // An assignment to an ordinary object would call a setter of a polluted Object.prototype.
  const isCareful = isRecordPolluted()
  const record = (isCareful ? ownCopy({}) : {}) as BunyanRecord
  for (const key of Object.keys(bound)) setOwn(record, key, bound[key])
  record.level = level
  for (const key of Object.keys(fields ?? nothing)) setOwn(record, key, fields![key])
  if (!isLevel(record.level)) moveInvalidLevel(record, level)
  record.msg = message
  if (!member(record, 'time')) record.time = new Date()
  if (logger.src && !member(record, 'src')) record['src'] = callerOf(method)
  record.v = formatVersion
  const result = isCareful ? { ...record } : record
  if (logger.parts.records === undefined) return { record: result, attributes: undefined }
  // The exception of an exported record is the Error itself, unless a custom serializer replaces it.
  const attributes = error === undefined || hasCustomErrSerializer(logger) ? { ...fields } : { ...fields, err: error }
  return { record: result, attributes }
}

function hasCustomErrSerializer({ serializers }: Instance): boolean {
  const err = serializers === null ? undefined : member(serializers, 'err')
  return err !== undefined && err !== stdSerializers.err
}

/** Returns the record that is logged when the record of a call cannot be built. */
export function minimalRecord(level: number, msg: string): BunyanRecord {
  return { pid: process.pid, level, msg, time: new Date(), v: formatVersion }
}

/** Returns whether `Object.prototype` has a member with the name of a field that every record has. */
function isRecordPolluted(): boolean {
  const hasOne = 'level' in nothing || 'msg' in nothing || 'time' in nothing
  return hasOne || 'v' in nothing || 'src' in nothing || 'attributes' in nothing
}

/** Returns whether a value can be compared with the levels of streams. */
function isLevel(level: unknown): boolean {
  if (typeof level === 'number') return level >= 0
  try {
    return (level as number) >= 0
  } catch {
    return false
  }
}

/** Moves an invalid level to another field: with it, no stream would accept the record. */
function moveInvalidLevel(record: BunyanRecord, level: number): void {
  let name = 'attributes'
  while (Object.hasOwn(record, name)) name = `_${name}`
  record[name] = { level: record.level }
  record.level = level
}

function parseCall(logger: Instance, args: unknown[]): ParsedCall {
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
  const isOnlyArgument = args.length === 1 && error !== undefined
  const message = formatted(isOnlyArgument ? [messageOf(error)] : args.slice(1), json)
  if (fields !== undefined && logger.serializers !== null) serialize(logger, fields)
  return error === undefined ? { fields, error, message } : redactTexts(logger, fields!, error, message)
}

function parseErrorCall(logger: Instance, error: Error, args: unknown[]): ParsedCall {
  const { json } = logger.parts
  const { err = stdSerializers.err } = ownCopy(logger.serializers ?? {}) as Partial<Serializers>
  const text = applySerializer(logger, 'err', err as (value: unknown) => unknown, error)
  const isOnlyArgument = args.length === 1
  const message = formatted(isOnlyArgument ? [messageOf(text)] : args.slice(1), json)
  return redactTexts(logger, { err: text }, error, message)
}

function redactTexts(logger: Instance, fields: Record<string, unknown>, error: Error, message: string): ParsedCall {
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

/** Formats bytes in hexadecimal as Node does, unless a redaction pattern matches them. */
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

/** Replaces fields by the results of the logger's serializers. */
export function serialize(logger: Instance, fields: Record<string, unknown>): void {
  const serializers = logger.serializers as Record<string, (value: unknown) => unknown>
  for (const name of hostileKeys(serializers)) {
    if (!Object.hasOwn(fields, name) || fields[name] === undefined) continue
    const redactedParts = redactedTextsOf(fields, name, logger.parts.json.stateAt(name))
    const value = applySerializer(logger, name, serializers[name]!, fields[name])
    fields[name] = redactedParts === undefined ? value : withRedactedStack(value, redactedParts)
  }
}

function applySerializer(
  logger: Instance,
  name: string,
  serializer: (value: unknown) => unknown,
  value: unknown,
): unknown {
  try {
    const result = serializer.call(logger.serializers, value)
    logger.parts.hookFailures.observe(`the serializer of ${JSON.stringify(name)}`, result)
    return result
  } catch (error) {
    logger.parts.hookFailures.threw(`the serializer of ${JSON.stringify(name)}`, error)
    return `(Error in Bunyan log "${name}" serializer broke field. See stderr for details.)`
  }
}
