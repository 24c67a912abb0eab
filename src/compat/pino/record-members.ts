import { isError } from '../../values/is-error.ts'
import { hostileKeys, put } from '../shared/own-members.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import { serialized, serializerOf, type Serializers } from './serialized.ts'
import { stdSerializers } from './std-serializers.ts'
import { define, setMember } from '../../options/define-member.ts'
import { membersOf } from '../../options/own-members.ts'

/** What an OpenTelemetry log record says of the members that a line says: as serializers made them, Errors as themselves. */
export interface RecordMembers {
  readonly attributes: Record<string, unknown>
  /** What stands under `errorKey`, where it is an Error. */
  error: object | undefined
}

/** Whose serializers they are, and under which name its errors stand. */
export interface MemberRules {
  readonly serializers: Serializers
  readonly errorKey: string
}

/** Adds a member of `source`. `value`: what its serializer made of it. */
export function addMember(to: RecordMembers, key: string, value: unknown, source: object, rules: MemberRules): void {
  const error = key === rules.errorKey || key === 'err' ? errorOf(source, key, value, rules) : undefined
  if (error !== undefined && key === rules.errorKey) to.error = error
  else put(to.attributes, key, error ?? value)
}

/** What is bound, as attributes: the error under `err`, unless that is said otherwise. */
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

const standard: readonly unknown[] = [undefined, stdSerializers.err, stdSerializers.errWithCause]

/** The Error that a member is, or what a serializer of the user's left of it; undefined for what is none. */
function errorOf(
  source: object,
  key: string,
  value: unknown,
  { serializers, errorKey }: MemberRules,
): object | undefined {
  const given = read(source, key)
  if (!isError(given)) return undefined
  return standard.includes(serializerOf(key, serializers, errorKey)) ? given : errorLike(value)
}

function read(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/** Only what the serializer let through. */
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
