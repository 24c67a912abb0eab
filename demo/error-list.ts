export type LogFileErrorKind = 'line' | 'sequence' | 'row' | 'secret' | 'mark'

export interface LogFileError {
  readonly kind: LogFileErrorKind
  readonly text: string
}

export interface ErrorList {
  add(kind: LogFileErrorKind, text: string): void
  all(): readonly LogFileError[]
}

// A broken file can have an error on every line, so only the first ones are reported.
const maxPerKind = 10

export function createErrorList(): ErrorList {
  const counts = new Map<LogFileErrorKind, number>()
  const reported: LogFileError[] = []
  return {
    add(kind, text) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count <= maxPerKind) reported.push({ kind, text })
    },
    all() {
      const omitted = [...counts].filter(([, count]) => count > maxPerKind)
      return [
        ...reported,
        ...omitted.map(([kind, count]) => ({ kind, text: `and ${count - maxPerKind} more like these` })),
      ]
    },
  }
}
