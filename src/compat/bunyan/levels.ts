/** Level numbers by name. */
export const levelFromName = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const

/** The name of a level. */
export type LogLevelString = keyof typeof levelFromName

/** A level by name, in lower or upper case, or by number. */
export type LogLevel = LogLevelString | Uppercase<LogLevelString> | number

/** Level names by number. */
export const nameFromLevel: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(levelFromName).map(([name, level]) => [level, name]),
)

/**
 * Returns the number of a level.
 *
 * @throws Error for an unknown name; TypeError for a value that is neither a name nor an integer of 0 or more.
 */
export function resolveLevel(level: LogLevel): number {
  if (typeof level === 'string') {
    const name = level.toLowerCase()
    if (!Object.hasOwn(levelFromName, name)) throw new Error(`unknown level name: "${level}"`)
    return levelFromName[name as LogLevelString]
  }
  if (typeof level !== 'number') throw new TypeError(`cannot resolve level: invalid arg (${typeof level})`)
  if (level < 0 || Math.floor(level) !== level) throw new TypeError(`level is not a positive integer: ${level}`)
  return level
}
