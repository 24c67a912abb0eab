import { isError } from '../../values/is-error.ts'
import { hostileKeys, setOwn } from '../shared/set-own.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import { serialized, serializerOf, type Serializers } from './serialized.ts'
import { stdSerializers } from './std-serializers.ts'
import { define, setMember } from '../../options/define-member.ts'
import { membersOf } from '../../options/own-members.ts'

/** Members of a line as an OpenTelemetry log record contains them: after serializers, but with Errors as they are. */
export interface RecordMembers {
  readonly attributes: Record<string, unknown>
  /** The member named by `errorKey`, if it is an Error. */
  error: object | undefined
}

/** The serializers and the error key of a logger. */
export interface MemberRules {
  readonly serializers: Serializers
  readonly errorKey: string
}

/**
 * Adds a member of `source`.
 *
 * @param value - the value after its serializer
 */
export function addMember(to: RecordMembers, key: string, value: unknown, source: object, rules: MemberRules): void {
  const error = key === rules.errorKey || key === 'err' ? errorOf(source, key, value, rules) : undefined
  if (error !== undefined && key === rules.errorKey) to.error = error
  else setOwn(to.attributes, key, error ?? value)
}

/** Returns bindings as attributes. An error is named `err`, unless another binding has that name. */
export function boundAttributes(bindings: object, rules: MemberRules, hookFailures: HookFailures): object {
  const members: RecordMembers = { attributes: {}, error: undefined }
  for (const key of hostileKeys(bindings)) {
    const value = serialized(bindings, key, rules.serializers, rules.errorKey, hookFailures)
    if (value !== undefined) addMember(members, key, value, bindings, rules)
  }
  const { attributes, error } = members
  if (error !== undefined) setMember(attributes, Object.hasOwn(attributes, 'err') ? rules.errorKey : 'err', error)
  return attributes
}

const standardSerializers: readonly unknown[] = [undefined, stdSerializers.err, stdSerializers.errWithCause]

/** Returns the Error that a member contains, or the result of a custom serializer as an Error; undefined if there is none. */
function errorOf(
  source: object,
  key: string,
  value: unknown,
  { serializers, errorKey }: MemberRules,
): object | undefined {
  const given = read(source, key)
  if (!isError(given)) return undefined
  return standardSerializers.includes(serializerOf(key, serializers, errorKey)) ? given : errorLike(value)
}

function read(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/** Returns an Error with only the members that a serializer returned. */
function errorLike(value: unknown): object | undefined {
  if (isError(value)) return value
  const given = Object(typeof value === 'string' ? { message: value } : (value ?? {})) as Partial<
    Record<string, unknown>
  >
  const { type, name, message, stack } = membersOf(given, ['type', 'name', 'message', 'stack'])
  if (typeof message !== 'string' && typeof stack !== 'string') return undefined
  const error = Object.create(Error.prototype) as object
  for (const [key, text] of Object.entries({ name: type ?? name, message, stack })) {
    define(error, key, { value: text, writable: true, enumerable: true, configurable: true })
  }
  return error
}
