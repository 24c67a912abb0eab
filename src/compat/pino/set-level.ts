import { markAncestors } from '../shared/cycles.ts'
import { JsonText } from '../shared/json-text.ts'
import { ignoreRejection } from '../../options/observe-promise.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { partsSym, type Instance } from './instance.ts'
import { isStandardLevel, labelOf, valueOf } from './levels.ts'
import { fatalMethod, logMethod, noop } from './log-method.ts'
import { formattersSym, levelCompSym, levelValSym, lsCacheSym, useOnlyCustomLevelsSym } from './symbols.ts'
import { setMember } from '../../options/define-member.ts'

/** Sets the level and the log methods of a logger, and emits `level-change`. */
export function setLevel(this: Instance, given: string | number): void {
  const { levels } = this
  const label = typeof given === 'number' ? labelOf(levels, given) : given
  if (label === undefined) throw Error('unknown level value' + given)
  const value = valueOf(levels, label)
  if (value === undefined) throw Error('unknown level ' + label)
  const previous = this[levelValSym]
  this[levelValSym] = value
  const onlyCustom = this[useOnlyCustomLevelsSym]
  for (const [name, number] of Object.entries(levels.values)) {
    if (!isEnabledAt(this, number, value)) setMember(this, name, noop)
    else {
      const create = name === 'fatal' && !onlyCustom ? fatalMethod : logMethod
      setMember(this, name, create(this, numberOf(name, number, onlyCustom)))
    }
  }
  this.emit('level-change', label, value, labelOf(levels, previous), previous, this)
}

/** Returns the number of a level. Standard levels keep their number. */
function numberOf(name: string, value: number, onlyCustom: boolean): number {
  return !onlyCustom && isStandardLevel(name) ? standard[name] : value
}

const standard = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

export function getLevel(this: Instance): string {
  // As in pino, `this` may not be a logger: serializers can lose it.
  const levels = this.levels as Instance['levels'] | undefined
  return (levels && labelOf(levels, this.levelVal)) ?? ''
}

export function isLevelEnabled(this: Instance, level: string): boolean {
  const value = valueOf(this.levels, level)
  if (value === undefined) return false
  try {
    return isEnabledAt(this, value, this[levelValSym])
  } catch (error) {
    this[partsSym].hookFailures.threw('levelComparison', error, enabled)
    return true
  }
}

const enabled = 'the level counts as enabled'

/** Returns whether a level is enabled. A promise counts as true, so that no record is lost. */
function isEnabledAt(logger: Instance, level: number, own: number): boolean {
  const result: unknown = logger[levelCompSym](level, own)
  if (typeof result === 'object') logger[partsSym].hookFailures.observe('levelComparison', result, enabled)
  return Boolean(result)
}

const json = new JsonText(undefined, { cycles: markAncestors, thrownMarker })

/** Renders the beginning of lines for each level. */
export function renderLevels(logger: Instance): void {
  const { level } = logger[formattersSym]
  const heads = Object.create(null) as Record<number, string>
  for (const [value, label] of Object.entries(logger.levels.labels)) {
    const members = level(label, Number(value))
    ignoreRejection(members)
    heads[Number(value)] = json.member(members, '')!.slice(0, -1)
  }
  logger[lsCacheSym] = heads
}

/** Returns the names of the members that represent levels in lines. */
export function levelKeys(logger: Instance): string[] {
  return Object.values(logger[lsCacheSym]).flatMap((head) => Object.keys(JSON.parse(head + '}') as object))
}
