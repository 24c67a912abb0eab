import { exceptionOf, isError, type Exception } from '../rules/exception.ts'
import type { ResolvedLimits } from '../rules/limits.ts'
import { unionState, type Censor, type RedactState } from '../rules/redact.ts'
import { coverText, stacktraceWithCauses, type Covered } from '../rules/stacktrace.ts'
import { censorText, coverBy } from './error-members.ts'
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
  readonly covered: readonly Covered[]
}

/** The rules for the logged exception: those for `err` and for `error`, however it was given. */
export function exceptionState(root: RedactState): RedactState {
  return unionState(root.step('err'), root.step('error'))
}

/** Reads and redacts the logged exception, each member once. Never throws. */
export function exceptionFields(
  error: object,
  root: RedactState,
  key: string,
  limits: ResolvedLimits,
): ExceptionFields {
  const state = exceptionState(root)
  const cover = coverBy(state, [key])
  const read = readOnce()
  const exception = read(error)
  const stack = stacktraceWithCauses(error, exception, { frames: limits.stackFrames, cover, read })
  const type = cover(['type'], exception.type) ?? cover(['name'], exception.type) ?? exception.type
  const message = cover(['message'], exception.message) ?? coverText(exception.message, stack.covered)
  const properties = exception.properties
    .slice(0, limits.items)
    .map(([name, value]) => ({ key: name, rule: name, value }))
  const cause = causeData(exception.cause, read, 0)
  if (cause !== undefined) properties.push({ key: 'cause', rule: 'cause', value: cause })
  return {
    type: field(root, 'exception.type', type),
    message: field(root, 'exception.message', message),
    stacktrace: field(root, 'exception.stacktrace', stack.text),
    properties:
      properties.length === 0
        ? undefined
        : new Members(properties, Math.max(properties.length, exception.properties.length)),
    state,
    covered: stack.covered,
  }
}

/** Reads each Error once, however often it is asked for. */
function readOnce(): (error: object) => Exception {
  const known = new Map<object, Exception>()
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
export function coveredException(error: object, censor: Censor, key: string): ExceptionFields {
  const { message } = exceptionOf(error)
  const covered = [{ text: message, replacement: censorText(censor, message, [key, 'message']) }]
  return { type: undefined, message: undefined, stacktrace: undefined, properties: undefined, state: noRules, covered }
}

/** A field that a rule may also name as it stands in the line; an empty one says nothing and is left out. */
function field(root: RedactState, key: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const censor = root.step(key).censor
  return censor === undefined ? text : censorText(censor, text, [key]) || undefined
}
