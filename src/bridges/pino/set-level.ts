import type { Instance } from './instance.ts'
import { isStandardLevel } from './levels.ts'
import { fatalMethod, logMethod, noop } from './log-method.ts'
import { formattersSym, levelCompSym, levelValSym, lsCacheSym, useOnlyCustomLevelsSym } from './symbols.ts'

/** Gives a logger the methods of its level, and tells whoever listens. */
export function setLevel(this: Instance, given: string | number): void {
  const { labels, values } = this.levels
  const label = typeof given === 'number' ? labels[given] : given
  if (label === undefined) throw Error('unknown level value' + given)
  const value = values[label]
  if (value === undefined) throw Error('unknown level ' + label)
  const previous = this[levelValSym]
  this[levelValSym] = value
  const isEnabled = this[levelCompSym]
  const onlyCustom = this[useOnlyCustomLevelsSym]
  for (const [name, number] of Object.entries(values)) {
    if (!isEnabled(number, value)) this[name] = noop
    else
      this[name] = (name === 'fatal' && !onlyCustom ? fatalMethod : logMethod)(this, numberOf(name, number, onlyCustom))
  }
  this.emit('level-change', label, value, labels[previous], previous, this)
}

/** A standard level keeps its number. */
function numberOf(name: string, value: number, onlyCustom: boolean): number {
  return !onlyCustom && isStandardLevel(name) ? standard[name] : value
}

const standard = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

export function getLevel(this: Instance): string {
  // Somebody's serializer may have lost the logger.
  return (this.levels as Instance['levels'] | undefined)?.labels[this.levelVal] ?? ''
}

export function isLevelEnabled(this: Instance, level: string): boolean {
  const value = this.levels.values[level]
  return value !== undefined && this[levelCompSym](value, this[levelValSym])
}

/** Renders what a line begins with, for each level. */
export function renderLevels(logger: Instance): void {
  const { level } = logger[formattersSym]
  const heads: Record<number, string> = {}
  for (const [value, label] of Object.entries(logger.levels.labels)) {
    heads[Number(value)] = JSON.stringify(level(label, Number(value))).slice(0, -1)
  }
  logger[lsCacheSym] = heads
}

/** The names that a level says in a line. */
export function levelKeys(logger: Instance): string[] {
  return Object.values(logger[lsCacheSym]).flatMap((head) => Object.keys(JSON.parse(head + '}') as object))
}
