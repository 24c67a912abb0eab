import { isError } from '../../values/is-error.ts'
import { safeKeys, setRecordMember } from '../shared/copy-members.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'
import { serializeMember, serializerOf, type Serializers } from './serializers.ts'
import { stdSerializers } from './std-serializers.ts'
import { define, setMember } from '../../options/define-member.ts'
import { membersOf } from '../../options/own-members.ts'

/** Members of a line as an OpenTelemetry log record contains them: after serializers, but an Error under `errorKey` or `err` stays one. */
export interface RecordMembers {
  readonly attributes: Record<string, unknown>
  /** The member named by `errorKey`, as an Error: see `errorOf`. Undefined if it is not one. */
  error: object | undefined
}

/** The serializers and the error key of a logger. */
export interface SerializerOptions {
  readonly serializers: Serializers
  readonly errorKey: string
}

/**
 * Adds the member `key` of `source`: as `error` if `key` is `errorKey` and `errorOf` returns an Error, otherwise as an attribute. Under
 * `err`, an Error from `errorOf` is the value of the attribute.
 *
 * @param value - the value after its serializer
 */
export function addRecordMember(
  target: RecordMembers,
  key: string,
  value: unknown,
  source: object,
  options: SerializerOptions,
): void {
  const error = key === options.errorKey || key === 'err' ? errorOf(source, key, value, options) : undefined
  if (error !== undefined && key === options.errorKey) target.error = error
  else setRecordMember(target.attributes, key, error ?? value)
}

/** Returns bindings as attributes. An Error under `errorKey` is named `err`, unless another binding has that name. */
export function boundAttributes(
  bindings: object,
  options: SerializerOptions,
  hookFailures: HookFailureReporter,
): object {
  const members: RecordMembers = { attributes: {}, error: undefined }
  for (const key of safeKeys(bindings)) {
    const value = serializeMember(bindings, key, options.serializers, options.errorKey, hookFailures)
    if (value !== undefined) addRecordMember(members, key, value, bindings, options)
  }
  const { attributes, error } = members
  if (error !== undefined) setMember(attributes, Object.hasOwn(attributes, 'err') ? options.errorKey : 'err', error)
  return attributes
}

/** For a member with one of these serializers, or without one (undefined), the Error itself is exported instead of the serialized one. */
const serializersNotExported: readonly unknown[] = [undefined, stdSerializers.err, stdSerializers.errWithCause]

/**
 * Returns the Error that a member was before its serializer, or, with a custom serializer, the result as an Error. Returns undefined if the
 * member was not an Error, or if the result cannot be converted.
 */
function errorOf(
  source: object,
  key: string,
  value: unknown,
  { serializers, errorKey }: SerializerOptions,
): object | undefined {
  const original = readMember(source, key)
  if (!isError(original)) return undefined
  return serializersNotExported.includes(serializerOf(key, serializers, errorKey))
    ? original
    : errorFromSerialized(value)
}

function readMember(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/**
 * Returns the result of a serializer as an Error with only its name, message and stack, or unchanged if it is an Error. Returns undefined
 * if it has neither a message nor a stack.
 */
function errorFromSerialized(value: unknown): object | undefined {
  if (isError(value)) return value
  const serialized = Object(typeof value === 'string' ? { message: value } : (value ?? {})) as Partial<
    Record<string, unknown>
  >
  const { type, name, message, stack } = membersOf(serialized, ['type', 'name', 'message', 'stack'])
  if (typeof message !== 'string' && typeof stack !== 'string') return undefined
  const error = Object.create(Error.prototype) as object
  for (const [key, text] of Object.entries({ name: type ?? name, message, stack })) {
    define(error, key, { value: text, writable: true, enumerable: true, configurable: true })
  }
  return error
}
