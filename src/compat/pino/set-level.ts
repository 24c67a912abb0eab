import { markAncestors } from '../shared/cycles.ts'
import { JsonText } from '../shared/json-text.ts'
import { disownPromise } from '../../options/observe-promise.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { partsSym, type Instance } from './instance.ts'
import { isStandardLevel, labelOf, valueOf } from './levels.ts'
import { fatalMethod, logMethod, noop } from './log-method.ts'
import { formattersSym, levelCompSym, levelValSym, lsCacheSym, useOnlyCustomLevelsSym } from './symbols.ts'
import { setMember } from '../../options/define-member.ts'

/** Gives a logger the methods of its level, and tells whoever listens. */
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
    if (!compares(this, number, value)) setMember(this, name, noop)
    else {
      const create = name === 'fatal' && !onlyCustom ? fatalMethod : logMethod
      setMember(this, name, create(this, numberOf(name, number, onlyCustom)))
    }
  }
  this.emit('level-change', label, value, labelOf(levels, previous), previous, this)
}

/** A standard level keeps its number. */
function numberOf(name: string, value: number, onlyCustom: boolean): number {
  return !onlyCustom && isStandardLevel(name) ? standard[name] : value
}

const standard = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

export function getLevel(this: Instance): string {
  // Somebody's serializer may have lost the logger.
  const levels = this.levels as Instance['levels'] | undefined
  return (levels && labelOf(levels, this.levelVal)) ?? ''
}

export function isLevelEnabled(this: Instance, level: string): boolean {
  const value = valueOf(this.levels, level)
  if (value === undefined) return false
  try {
    return compares(this, value, this[levelValSym])
  } catch (error) {
    this[partsSym].hookFailures.threw('levelComparison', error, enabled)
    return true
  }
}

const enabled = 'the level counts as enabled'

/** Whether a level is logged. A promise counts as true: no record is lost because of it. */
function compares(logger: Instance, level: number, own: number): boolean {
  const answer: unknown = logger[levelCompSym](level, own)
  if (typeof answer === 'object') logger[partsSym].hookFailures.observe('levelComparison', answer, enabled)
  return Boolean(answer)
}

const json = new JsonText(undefined, { cycles: markAncestors, thrownMarker })

/** Renders what a line begins with, for each level. */
export function renderLevels(logger: Instance): void {
  const { level } = logger[formattersSym]
  const heads = Object.create(null) as Record<number, string>
  for (const [value, label] of Object.entries(logger.levels.labels)) {
    const members = level(label, Number(value))
    disownPromise(members)
    heads[Number(value)] = json.member(members, '')!.slice(0, -1)
  }
  logger[lsCacheSym] = heads
}

/** The names that a level says in a line. */
export function levelKeys(logger: Instance): string[] {
  return Object.values(logger[lsCacheSym]).flatMap((head) => Object.keys(JSON.parse(head + '}') as object))
}
