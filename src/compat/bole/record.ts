import { isError } from '../../values/is-error.ts'
import { stackWithCauses } from '../bunyan/std-serializers.ts'
import { redactMessageCopies } from '../shared/redacted-error.ts'
import type { JsonWriter } from '../shared/json-text.ts'
import { redactIfByteList } from '../shared/listed-bytes.ts'
import { formatMessage } from '../shared/message.ts'
import { copyMembers } from '../shared/copy-members.ts'
import { member } from '../../options/own-members.ts'
import { maskPasswordIfUrlMember } from '../../redact/url-password.ts'
import type { HookFailureReporter } from '../shared/hook-failures.ts'
import { setMember } from '../../options/define-member.ts'

/** A parsed log call, redacted for an output. */
export interface ParsedCall {
  readonly fields: Record<string, unknown>
  /** Not a string if the call logs a single value of another type; undefined without a message. */
  readonly message: unknown
  readonly error: Error | undefined
}

/** The members by which an HTTP request is recognized, and those that are logged of it. */
interface HttpRequest {
  readonly method?: unknown
  readonly url?: unknown
  readonly headers?: unknown
  readonly socket?: unknown
  readonly connection?: { readonly remoteAddress?: unknown; readonly remotePort?: unknown }
}

/** Parses the arguments of a call. */
export function parseCall(
  [first, ...rest]: readonly unknown[],
  json: JsonWriter,
  hookFailures: HookFailureReporter,
): ParsedCall {
  if (typeof first === 'string' || first === undefined || first === null) {
    return { fields: {}, message: messageOf([first, ...rest], json), error: undefined }
  }
  if (isError(first)) return parseErrorCall(first, rest, json, hookFailures)
  const message = typeof first === 'boolean' ? String(first) : messageOf(rest, json)
  return { fields: typeof first === 'object' ? fieldsOf(first, json, hookFailures) : {}, message, error: undefined }
}

/** Parses a call whose first argument is an Error; the second one may be an object of fields. */
function parseErrorCall(
  error: Error,
  rest: readonly unknown[],
  json: JsonWriter,
  hookFailures: HookFailureReporter,
): ParsedCall {
  const [second] = rest
  const hasFields = typeof second === 'object'
  const fields = hasFields && second !== null ? membersOf(second, json, hookFailures) : {}
  const message = messageOf(hasFields ? rest.slice(1) : rest, json)
  const isText = typeof message === 'string'
  const err = errorFields(error, hookFailures)
  const texts = redactMessageCopies(error, { err, message: isText ? message : undefined }, json)
  setMember(fields, 'err', texts.err)
  return { fields, message: isText ? texts.message : message, error }
}

/**
 * Returns the message, or undefined for a call without one. As in bole, trailing undefined arguments are ignored. An empty text is not a
 * message, nor is a single argument that is falsy.
 */
function messageOf(args: readonly unknown[], json: JsonWriter): unknown {
  const definedArgs = args.slice(0, args.findLastIndex((value) => value !== undefined) + 1)
  const [only] = definedArgs
  if (definedArgs.length > 1 || typeof only === 'string') return formatMessage(definedArgs, json) || undefined
  return only ? json.redactedForm(only) : undefined
}

/** Returns the members of an error that are logged, or a marker if reading them throws. */
function errorFields(error: Error, hookFailures: HookFailureReporter): unknown {
  try {
    const { name, message } = error
    const stack = member(error, 'stack')
    const code = member(error as Error & { code?: unknown }, 'code')
    return { name, message, code, stack: stack === undefined ? undefined : stackWithCauses(error) }
  } catch (thrown) {
    return hookFailures.reportThrow('reading an error', thrown)
  }
}

/** Returns the fields of a logged object: for an HTTP request, the field `req`; for any other object, its members. */
function fieldsOf(object: object, json: JsonWriter, hookFailures: HookFailureReporter): Record<string, unknown> {
  try {
    const request = object as HttpRequest
    const [method, url, headers] = [member(request, 'method'), member(request, 'url'), member(request, 'headers')]
    if (method && url && headers && member(request, 'socket')) {
      const connection = member(request, 'connection')
      const remoteAddress = connection && member(connection, 'remoteAddress')
      const remotePort = connection && member(connection, 'remotePort')
      return { req: { method, url, headers, remoteAddress, remotePort } }
    }
  } catch {
    // A getter threw. `membersOf` replaces its value by a marker.
  }
  return membersOf(object, json, hookFailures)
}

/** Copies the members of an object, with passwords in URLs redacted if the rules include it. As in bole, undefined members are omitted. */
function membersOf(object: object, json: JsonWriter, hookFailures: HookFailureReporter): Record<string, unknown> {
  const members = copyMembers({}, redactIfByteList(object, json.redaction?.patterns), hookFailures)
  const names = Object.keys(members)
  for (const key of names) {
    const value = members[key]
    if (value === undefined) delete members[key]
    else if (json.masksUrlPasswords && typeof value === 'string')
      members[key] = maskPasswordIfUrlMember(key, value, names)
  }
  return members
}
