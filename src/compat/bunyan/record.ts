import { inspect } from 'node:util'
import { errorMessageReplacementsOfMember, redactMessageCopies, withRedactedStack } from '../shared/redacted-error.ts'
import type { JsonWriter } from '../shared/json-text.ts'
import { formatMessage } from '../shared/message.ts'
import { copyMembers, safeKeys, setRecordMember } from '../shared/copy-members.ts'
import { unusedName } from '../shared/unused-name.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { isError } from '../../values/is-error.ts'
import { defaultReplacement } from '../../redact/censor.ts'
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
export interface RecordWithAttributes {
  readonly record: BunyanRecord
  /** Undefined without exporters. */
  readonly attributes: Record<string, unknown> | undefined
}

const formatVersion = 0
const emptyObject = {}

/**
 * Builds the record of a call, and the attributes for exporters.
 *
 * @param method - the log method that was called, to find the source location
 */
export function makeRecord(
  logger: Instance,
  level: number,
  args: unknown[],
  method: () => unknown,
): RecordWithAttributes {
  const { fields, error, message } = parseCall(logger, args)
  const { fields: loggerFields } = logger
  // If Object.prototype is polluted, the record has no prototype at first, because an assignment could call a setter of it.
  const isPolluted = isPrototypePolluted()
  const record = (isPolluted ? withoutPrototype({}) : {}) as BunyanRecord
  for (const key of Object.keys(loggerFields)) setRecordMember(record, key, loggerFields[key])
  record.level = level
  for (const key of Object.keys(fields ?? emptyObject)) setRecordMember(record, key, fields![key])
  if (!isValidLevel(record.level)) moveInvalidLevel(record, level)
  record.msg = message
  if (!member(record, 'time')) record.time = new Date()
  if (logger.src && !member(record, 'src')) record['src'] = callerOf(method)
  record.v = formatVersion
  const safeRecord = isPolluted ? { ...record } : record
  if (logger.parts.recordEmitter === undefined) return { record: safeRecord, attributes: undefined }
  // The exception of an exported record is the Error itself, unless a custom serializer replaces it.
  const attributes = error === undefined || hasCustomErrSerializer(logger) ? { ...fields } : { ...fields, err: error }
  return { record: safeRecord, attributes }
}

function hasCustomErrSerializer({ serializers }: Instance): boolean {
  const err = serializers === null ? undefined : member(serializers, 'err')
  return err !== undefined && err !== stdSerializers.err
}

/** Returns the record that is logged when the record of a call cannot be built. */
export function minimalRecord(level: number, msg: string): BunyanRecord {
  return { pid: process.pid, level, msg, time: new Date(), v: formatVersion }
}

/** Returns whether `Object.prototype` has a member with the name of a field that is assigned to records here. */
function isPrototypePolluted(): boolean {
  const hasLevelMessageOrTime = 'level' in emptyObject || 'msg' in emptyObject || 'time' in emptyObject
  return hasLevelMessageOrTime || 'v' in emptyObject || 'src' in emptyObject || 'attributes' in emptyObject
}

/** Returns whether a level, which a field of the call can set to any value, is 0 or more when compared as a number. */
function isValidLevel(level: unknown): boolean {
  if (typeof level === 'number') return level >= 0
  try {
    return (level as number) >= 0
  } catch {
    return false
  }
}

/** Moves an invalid level to the field `attributes`, and sets the level of the log method instead. */
function moveInvalidLevel(record: BunyanRecord, level: number): void {
  const name = unusedName('attributes', (other) => Object.hasOwn(record, other))
  record[name] = { level: record.level }
  record.level = level
}

/** Parses the arguments of a call, and applies the serializers. */
function parseCall(logger: Instance, args: unknown[]): ParsedCall {
  const [first] = args
  const { json } = logger.parts
  if (typeof first !== 'object' || isArray(first)) {
    return { fields: undefined, error: undefined, message: formatMessage(args, json) }
  }
  if (isError(first)) return parseErrorCall(logger, first, args)
  if (isBytes(first) || isSecretBytes(first, json)) {
    return {
      fields: undefined,
      error: undefined,
      message: formatMessage([bytesText(first as Buffer, json), ...args.slice(1)], json),
    }
  }
  const { hookFailures } = logger.parts
  const fields = first === null ? undefined : copyMembers({}, first, hookFailures)
  const error = fields !== undefined && isError(member(fields, 'err')) ? (fields['err'] as Error) : undefined
  const isOnlyArgument = args.length === 1 && error !== undefined
  const message = formatMessage(isOnlyArgument ? [messageOf(error)] : args.slice(1), json)
  if (fields !== undefined && logger.serializers !== null) serialize(logger, fields)
  return error === undefined ? { fields, error, message } : redactParsedCall(logger, fields!, error, message)
}

/** Parses a call whose first argument is an Error. */
function parseErrorCall(logger: Instance, error: Error, args: unknown[]): ParsedCall {
  const { json } = logger.parts
  const { err = stdSerializers.err } = withoutPrototype(logger.serializers ?? {}) as Partial<Serializers>
  const serializedError = applySerializer(logger, 'err', err as (value: unknown) => unknown, error)
  const isOnlyArgument = args.length === 1
  const message = formatMessage(isOnlyArgument ? [messageOf(serializedError)] : args.slice(1), json)
  return redactParsedCall(logger, { err: serializedError }, error, message)
}

/** If a rule redacts `err.message`, replaces the messages of the error and its causes in the field `err` and in the record's message. */
function redactParsedCall(
  logger: Instance,
  fields: Record<string, unknown>,
  error: Error,
  message: string,
): ParsedCall {
  const texts = redactMessageCopies(error, { err: fields['err'], message }, logger.parts.json)
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
function bytesText(bytes: Buffer, json: JsonWriter): string {
  return isSecretBytes(bytes, json) ? defaultReplacement : inspect(bytes)
}

/** Returns whether a value is bytes that a redaction pattern matches. */
function isSecretBytes(value: unknown, { bytesContainSecret }: JsonWriter): boolean {
  return bytesContainSecret !== undefined && ArrayBuffer.isView(value) && bytesContainSecret(value)
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
  for (const name of safeKeys(serializers)) {
    if (!Object.hasOwn(fields, name) || fields[name] === undefined) continue
    const replacements = errorMessageReplacementsOfMember(fields, name, logger.parts.json.stateAt(name))
    const value = applySerializer(logger, name, serializers[name]!, fields[name])
    fields[name] = replacements === undefined ? value : withRedactedStack(value, replacements)
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
    logger.parts.hookFailures.observeIfPromise(`the serializer of ${JSON.stringify(name)}`, result)
    return result
  } catch (error) {
    logger.parts.hookFailures.reportThrow(`the serializer of ${JSON.stringify(name)}`, error)
    return `(Error in Bunyan log "${name}" serializer broke field. See stderr for details.)`
  }
}
