import { levelChangeEventName, levelChangeRecord } from '../../logger/level-change-record.ts'
import { member } from '../../options/own-members.ts'
import { standardSeverities } from '../../record/severity.ts'
import { areDirectivesSet, type DirectedLogger } from '../shared/directive-level.ts'
import { RecordSource } from '../shared/record-source.ts'
import { renderBindings } from './bindings.ts'
import { stateSym, type Instance, type LogMethod } from './instance.ts'
import { levelNumber, severityOf } from './levels.ts'
import { createLogMethod } from './log-method.ts'
import { chindingsSym, serializersSym, streamSym, writeSym } from './symbols.ts'

/** Creates the log method of a disabled level, which logs if level directives include the level. */
export function createDisabledMethod(owner: Instance, level: number): LogMethod {
  return function LOG() {
    if (!areDirectivesSet()) return
    const logger = this ?? owner
    // The arguments are not a rest parameter, which would create an array in each disabled call.
    // oxlint-disable-next-line prefer-rest-params
    if (isEnabledByDirectives(logger, level)) createLogMethod(owner, level).apply(logger, [...arguments] as unknown[])
  }
}

/** Returns whether level directives include a level of a logger. */
export function isEnabledByDirectives(logger: Instance, level: number): boolean {
  if (!areDirectivesSet()) return false
  try {
    const { directiveLevel } = logger[stateSym]
    const severity = severityOf(level)
    return directiveLevel.mayInclude(severity) && directiveLevel.includes(severity, attributeSourceOf(logger))
  } catch {
    return false // `this` is not a logger
  }
}

/** Returns what directives need of a logger. */
export function directedLogger(instance: Instance): DirectedLogger {
  return {
    level: () => instance.level,
    report(event) {
      const stream = instance[streamSym]
      if (
        instance.level === 'silent' ||
        member(stream, 'writableEnded') === true ||
        member(stream, 'destroyed') === true
      )
        return false
      const { message, attributes } = levelChangeRecord(event, (key, value) => redactedMember(instance, key, value))
      instance[writeSym]({ event: levelChangeEventName, ...attributes }, message, infoLevelOf(instance))
      return true
    },
    severity(level) {
      const number = levelNumber(instance.levels, level)
      return number === undefined ? undefined : severityOf(number)
    },
  }
}

/** Returns the number of the least severe level that is at least as severe as info, or of the most severe one. */
function infoLevelOf({ levels }: Instance): number {
  const numbers = Object.values(levels.values).toSorted((a, b) => a - b)
  return numbers.find((number) => severityOf(number) >= standardSeverities.info) ?? numbers.at(-1)!
}

/** Returns the attributes by which directives select the records of a logger. */
function attributeSourceOf(logger: Instance): RecordSource {
  return new RecordSource({
    bound: () => boundMembersOf(logger),
    redacted: (key, value) => redactedMember(logger, key, value),
  })
}

/** Returns the members of the bindings of a logger, which are parsed once. */
function boundMembersOf(logger: Instance): Members {
  const text = logger[chindingsSym]
  const cached = boundMembers.get(logger)
  // The text is compared too, because code that uses the symbols of pino can replace it.
  if (cached?.text === text) return cached.members
  const members = JSON.parse(`{${text.slice(1)}}`) as Members
  boundMembers.set(logger, { text, members })
  return members
}

type Members = Readonly<Record<string, unknown>>

const boundMembers = new WeakMap<Instance, { readonly text: string; readonly members: Members }>()

/** Returns the value of a member as a logger would write it. */
function redactedMember(logger: Instance, key: string, value: unknown): unknown {
  const { valueWriter, hookFailures } = logger[stateSym]
  const { members } = renderBindings({ [key]: value }, logger[serializersSym], valueWriter, noNames, hookFailures)
  return members.length === 0 ? undefined : JSON.parse(members[0]!.value)
}

const noNames: ReadonlySet<string> = new Set()
