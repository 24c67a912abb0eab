import { isError } from '../../values/is-error.ts'
import { stackWithCauses } from '../bunyan/std-serializers.ts'
import { safeErrorTexts } from '../shared/redacted-error.ts'
import type { JsonText } from '../shared/json-text.ts'
import { redactByteLists } from '../shared/listed-bytes.ts'
import { formatted } from '../shared/message.ts'
import { copyMembers } from '../shared/set-own.ts'
import { member } from '../../options/own-members.ts'
import { maskMember } from '../../redact/url-password.ts'
import type { HookFailures } from '../shared/hook-failures.ts'
import { setMember } from '../../options/define-member.ts'

/** A parsed log call, redacted for an output. */
export interface ParsedCall {
  readonly fields: Record<string, unknown>
  /** Not a string if the call logs a single value of another type. */
  readonly message: unknown
  readonly error: Error | undefined
}

interface Request {
  readonly method?: unknown
  readonly url?: unknown
  readonly headers?: unknown
  readonly socket?: unknown
  readonly connection?: { readonly remoteAddress?: unknown; readonly remotePort?: unknown }
}

/** Parses the arguments of a call. Never throws. */
export function readCall([first, ...rest]: readonly unknown[], json: JsonText, hookFailures: HookFailures): ParsedCall {
  if (typeof first === 'string' || first === undefined || first === null) {
    return { fields: {}, message: messageOf([first, ...rest], json), error: undefined }
  }
  if (isError(first)) return readError(first, rest, json, hookFailures)
  const message = typeof first === 'boolean' ? String(first) : messageOf(rest, json)
  return { fields: typeof first === 'object' ? fieldsOf(first, json, hookFailures) : {}, message, error: undefined }
}

function readError(error: Error, rest: readonly unknown[], json: JsonText, hookFailures: HookFailures): ParsedCall {
  const [second] = rest
  const hasFields = typeof second === 'object'
  const fields = hasFields && second !== null ? membersOf(second, json, hookFailures) : {}
  const message = messageOf(hasFields ? rest.slice(1) : rest, json)
  const isText = typeof message === 'string'
  const err = errorText(error, hookFailures)
  const texts = safeErrorTexts(error, { err, message: isText ? message : undefined }, json)
  setMember(fields, 'err', texts.err)
  return { fields, message: isText ? texts.message : message, error }
}

/** Returns the message. As in bole, trailing undefined arguments are ignored, and an empty message is omitted. */
function messageOf(args: readonly unknown[], json: JsonText): unknown {
  const given = args.slice(0, args.findLastIndex((value) => value !== undefined) + 1)
  const [only] = given
  if (given.length > 1 || typeof only === 'string') return formatted(given, json) || undefined
  return only ? json.redactedForm(only) : undefined
}

function errorText(error: Error, hookFailures: HookFailures): unknown {
  try {
    const { name, message } = error
    const stack = member(error, 'stack')
    const code = member(error as Error & { code?: unknown }, 'code')
    return { name, message, code, stack: stack === undefined ? undefined : stackWithCauses(error) }
  } catch (thrown) {
    return hookFailures.threw('reading an error', thrown)
  }
}

function fieldsOf(object: object, json: JsonText, hookFailures: HookFailures): Record<string, unknown> {
  try {
    const request = object as Request
    const [method, url, headers] = [member(request, 'method'), member(request, 'url'), member(request, 'headers')]
    if (method && url && headers && member(request, 'socket')) {
      const connection = member(request, 'connection')
      const remoteAddress = connection && member(connection, 'remoteAddress')
      const remotePort = connection && member(connection, 'remotePort')
      return { req: { method, url, headers, remoteAddress, remotePort } }
    }
  } catch {
    // a getter threw; copyMembers marks it
  }
  return membersOf(object, json, hookFailures)
}

/** Copies the members of an object. As in bole, undefined members are omitted. */
function membersOf(object: object, json: JsonText, hookFailures: HookFailures): Record<string, unknown> {
  const members = copyMembers({}, redactByteLists(object, json.redaction?.patterns), hookFailures)
  const names = Object.keys(members)
  for (const key of names) {
    const value = members[key]
    if (value === undefined) delete members[key]
    else if (json.masksUrls && typeof value === 'string') members[key] = maskMember(key, value, names)
  }
  return members
}
