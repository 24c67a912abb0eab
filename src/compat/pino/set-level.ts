import { createCycleReplacer } from '../shared/cycles.ts'
import { JsonWriter } from '../shared/json-text.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { stateSym, type Instance } from './instance.ts'
import { isStandardLevel, levelLabel, levelNumber, standardLevels } from './levels.ts'
import { createDisabledMethod, isEnabledByDirectives } from './disabled-method.ts'
import { createFatalMethod, createLogMethod } from './log-method.ts'
import { formattersSym, levelCompSym, levelValSym, lsCacheSym, useOnlyCustomLevelsSym } from './symbols.ts'
import { setMember } from '../../options/define-member.ts'

/** Sets the level and the log methods of a logger, and emits `level-change`. */
export function setLevel(this: Instance, level: string | number): void {
  const { levels } = this
  const label = typeof level === 'number' ? levelLabel(levels, level) : level
  if (label === undefined) throw Error('unknown level value' + level)
  const value = levelNumber(levels, label)
  if (value === undefined) throw Error('unknown level ' + label)
  const previousValue = this[levelValSym]
  this[levelValSym] = value
  const usesOnlyCustom = this[useOnlyCustomLevelsSym]
  for (const [name, number] of Object.entries(levels.values)) {
    if (!isEnabledAt(this, number, value)) {
      setMember(this, name, createDisabledMethod(this, loggedNumber(name, number, usesOnlyCustom)))
    } else {
      const create = name === 'fatal' && !usesOnlyCustom ? createFatalMethod : createLogMethod
      setMember(this, name, create(this, loggedNumber(name, number, usesOnlyCustom)))
    }
  }
  this.emit('level-change', label, value, levelLabel(levels, previousValue), previousValue, this)
}

/**
 * Returns the number that a log method logs. A custom level with the name of a standard one does not change the standard number, unless
 * only custom levels are used.
 */
function loggedNumber(name: string, value: number, usesOnlyCustom: boolean): number {
  return !usesOnlyCustom && isStandardLevel(name) ? standardLevels[name] : value
}

export function getLevel(this: Instance): string {
  // As in pino, `this` may not be a logger, for example when a serializer copies a logger with circular references.
  const levels = this.levels as Instance['levels'] | undefined
  return (levels && levelLabel(levels, this.levelVal)) ?? ''
}

export function isLevelEnabled(this: Instance, level: string): boolean {
  const value = levelNumber(this.levels, level)
  if (value === undefined) return false
  try {
    return isEnabledAt(this, value, this[levelValSym]) || isEnabledByDirectives(this, value)
  } catch (error) {
    this[stateSym].hookFailures.reportThrow('levelComparison', error, countsAsEnabled)
    return true
  }
}

const countsAsEnabled = 'the level counts as enabled'

/** Returns whether a level is enabled. A promise counts as true, so that no record is lost. */
function isEnabledAt(logger: Instance, level: number, loggerLevel: number): boolean {
  const result: unknown = logger[levelCompSym](level, loggerLevel)
  if (typeof result === 'object')
    logger[stateSym].hookFailures.observeIfPromise('levelComparison', result, countsAsEnabled)
  return Boolean(result)
}

const levelJson = new JsonWriter(undefined, { createReplacer: createCycleReplacer, thrownMarker })

/** Renders the beginning of the lines of each level, such as `{"level":30`. */
export function renderLevels(logger: Instance): void {
  const { level } = logger[formattersSym]
  const lineStarts = Object.create(null) as Record<number, string>
  for (const [value, label] of Object.entries(logger.levels.labels)) {
    const members = level(label, Number(value))
    ignoreRejection(members)
    lineStarts[Number(value)] = levelJson.memberJson(members, '')!.slice(0, -1)
  }
  logger[lsCacheSym] = lineStarts
}

/** Returns the names of the members that represent levels in lines. */
export function levelMemberNames(logger: Instance): string[] {
  return Object.values(logger[lsCacheSym]).flatMap((start) => Object.keys(JSON.parse(start + '}') as object))
}
