import { exceptionOf, type Exception } from '../../values/exception.ts'
import { isError } from '../../values/is-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import { unionState, type Censor, type RedactState } from '../../redact/redact.ts'
import {
  redactParts,
  ownStack,
  stacktraceWithCauses,
  type RedactedParts,
  type Stacktrace,
} from '../../values/stacktrace.ts'
import { censorText, redactWith } from './error-members.ts'
import { Members } from './members.ts'
import { noRules } from './walk.ts'

/** The logged exception, read and redacted: three texts (EXC1) and what else the Error says of itself. */
export interface ExceptionFields {
  readonly type: string | undefined
  readonly message: string | undefined
  /** The stack with those of the causes. */
  readonly stacktrace: string | undefined
  /** Own members of the Error, still to be walked under `state`; undefined when it has none. */
  readonly properties: Members | undefined
  readonly state: RedactState
  /** Texts that the rules cover, for a body that was copied from the message. */
  readonly covered: readonly RedactedParts[]
}

/** What the rules say of the logged exception; the same for every record. */
export interface ExceptionRules {
  /** At the exception itself: the rules for `err` and for `error` both hold, however it was given. */
  readonly state: RedactState
  /** A rule covers what becomes one of its texts. */
  readonly coversText: boolean
  /** The rules for the fields as they stand in the line: what they cover must not stay in the stack or the message either. */
  readonly fields: Readonly<Record<'type' | 'message' | 'stacktrace', Censor | undefined>>
}

/** The names of the attributes that an exception has, `most` of them. */
export function exceptionNames({ type, message, stacktrace }: ExceptionFields, most: number): ReadonlySet<string> {
  const names: string[] = []
  if (type !== undefined) names.push('exception.type')
  if (message !== undefined) names.push('exception.message')
  if (stacktrace !== undefined) names.push('exception.stacktrace')
  return new Set(names.slice(0, most))
}

/** The members of an Error that become text. */
const textMembers = ['type', 'name', 'message', 'stack', 'stacktrace']

export function exceptionRules(root: RedactState): ExceptionRules {
  const state = unionState(root.step('err'), root.step('error'))
  const fields = {
    type: root.step('exception.type').censor,
    message: root.step('exception.message').censor,
    stacktrace: root.step('exception.stacktrace').censor,
  }
  const coversMember = textMembers.some((member) => state.step(member).censor !== undefined)
  return { state, coversText: coversMember || fields.type !== undefined || fields.message !== undefined, fields }
}

/** Reads and redacts the logged exception, each member once. Never throws. */
export function exceptionFields(
  error: object,
  rules: ExceptionRules,
  key: string,
  limits: ResolvedLimits,
): ExceptionFields {
  const exception = exceptionOf(error)
  // Most errors have no cause and most rules do not speak of them: a third of the time of the general way.
  if (isAlone(exception) && !rules.coversText)
    return fieldsOf(exception, ownStack(exception, limits.stackFrames), rules, limits)
  const cover = coverOf(rules, key)
  const read = readOnce(error, exception)
  const stack = stacktraceWithCauses(error, exception, { frames: limits.stackFrames, cover, read })
  const type = cover(['type'], exception.type) ?? cover(['name'], exception.type) ?? exception.type
  const message = cover(['message'], exception.message) ?? redactParts(exception.message, stack.covered)
  const cause = causeData(exception.cause, read, 0)
  return fieldsOf({ ...exception, type, message }, stack, rules, limits, cause)
}

function isAlone({ cause, errors }: Exception): boolean {
  return (cause === undefined || cause === null) && errors === undefined
}

function fieldsOf(
  exception: Exception,
  stack: Stacktrace,
  { state, fields }: ExceptionRules,
  limits: ResolvedLimits,
  cause?: object,
): ExceptionFields {
  return {
    type: exception.type || undefined,
    message: exception.message || undefined,
    stacktrace: stacktraceField(fields.stacktrace, stack.text),
    properties: propertiesOf(exception, cause, limits),
    state,
    covered: stack.covered,
  }
}

/** What an Error says of itself besides its texts, and what its stack does not say of its cause. */
function propertiesOf(
  { properties }: Exception,
  cause: object | undefined,
  limits: ResolvedLimits,
): Members | undefined {
  if (properties.length === 0 && cause === undefined) return undefined
  const members = properties.slice(0, limits.items).map(([name, value]) => ({ key: name, rule: name, value }))
  if (cause !== undefined) members.push({ key: 'cause', rule: 'cause', value: cause })
  return new Members(members, Math.max(members.length, properties.length))
}

/** Reads each Error once, however often it is asked for. The `first` one has been read. */
function readOnce(first: object, exception: Exception): (error: object) => Exception {
  const known = new Map([[first, exception]])
  return (error) => {
    const exception = known.get(error) ?? exceptionOf(error)
    known.set(error, exception)
    return exception
  }
}

const deepestCause = 16

/** What the stacktrace does not say of a cause: the members of its own, or all of one that is no Error. */
function causeData(cause: unknown, read: (error: object) => Exception, depth: number): object | undefined {
  if (typeof cause !== 'object' || cause === null || depth === deepestCause) return undefined
  if (!isError(cause)) return cause
  const exception = read(cause)
  const members = [...exception.properties]
  const next = causeData(exception.cause, read, depth + 1)
  if (next !== undefined) members.push(['cause', next])
  return members.length === 0 ? undefined : new Map(members)
}

/** What is left of an exception that a rule covers whole: nothing, and its message is covered in the body, too. */
export function redactedExceptionFields(error: object, censor: Censor, key: string): ExceptionFields {
  const { message } = exceptionOf(error)
  const covered = [{ text: message, replacement: censorText(censor, message, [key, 'message']) }]
  return { type: undefined, message: undefined, stacktrace: undefined, properties: undefined, state: noRules, covered }
}

/** What rules say of a text of the exception, which has a name as a member of the Error and one as a field of the line. */
function coverOf({ state, fields }: ExceptionRules, key: string): ReturnType<typeof redactWith> {
  const cover = redactWith(state, [key])
  return (path, value) => {
    const covered = cover(path, value)
    const [name] = path
    if (covered !== undefined || path.length > 1 || (name !== 'type' && name !== 'message')) return covered
    const censor = fields[name]
    return censor === undefined ? undefined : censorText(censor, value, [`exception.${name}`])
  }
}

/** The whole of it, with all causes; an empty one says nothing and is left out. */
function stacktraceField(censor: Censor | undefined, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  return censor === undefined ? text : censorText(censor, text, ['exception.stacktrace']) || undefined
}
