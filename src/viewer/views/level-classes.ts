/** The classes of levels that are filtered and counted: records without a level, then the ranges of OpenTelemetry from `trace` to `fatal`. */
export const levelClasses = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export type LevelClass = (typeof levelClasses)[number]

/** Returns the index of the class of a severity number. */
export function levelClassOf(severityNumber: number): number {
  return (severityNumber + 3) >> 2
}
