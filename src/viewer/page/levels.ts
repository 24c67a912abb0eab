/** The classes of levels, in the order of the counts that the server sends. */
export const levelClasses = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type LevelClass = (typeof levelClasses)[number]

/** Returns the class of a severity number. */
export function classOf(severity: number): LevelClass {
  return levelClasses[(severity + 3) >> 2] ?? 'none'
}
