import { exceptionOf } from '../rules/exception.ts'
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

/** The rules for the logged exception: those for `err`, and those for the key it was given under. */
export function exceptionState(root: RedactState, key: string): RedactState {
  const usual = root.step('err')
  return key === 'err' ? usual : unionState(usual, root.step(key))
}

/** Reads and redacts the logged exception, each member once. Never throws. */
export function exceptionFields(
  error: object,
  root: RedactState,
  key: string,
  limits: ResolvedLimits,
): ExceptionFields {
  const state = exceptionState(root, key)
  const cover = coverBy(state, [key])
  const exception = exceptionOf(error)
  const stack = stacktraceWithCauses(error, exception, { frames: limits.stackFrames, cover })
  const type = cover(['type'], exception.type) ?? cover(['name'], exception.type) ?? exception.type
  const message = cover(['message'], exception.message) ?? coverText(exception.message, stack.covered)
  const properties = exception.properties
    .slice(0, limits.items)
    .map(([name, value]) => ({ key: name, rule: name, value }))
  return {
    type: field(root, 'exception.type', type),
    message: field(root, 'exception.message', message),
    stacktrace: field(root, 'exception.stacktrace', stack.text),
    properties: properties.length === 0 ? undefined : new Members(properties, exception.properties.length),
    state,
    covered: stack.covered,
  }
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
