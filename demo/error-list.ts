export type ProblemKind = 'line' | 'sequence' | 'row' | 'secret' | 'mark'

export interface Problem {
  readonly kind: ProblemKind
  readonly text: string
}

export interface ProblemList {
  add(kind: ProblemKind, text: string): void
  all(): readonly Problem[]
}

// A broken file can be wrong on every line; nobody reads as many reports.
const toldOfEachKind = 10

export function createProblemList(): ProblemList {
  const counts = new Map<ProblemKind, number>()
  const told: Problem[] = []
  return {
    add(kind, text) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count <= toldOfEachKind) told.push({ kind, text })
    },
    all() {
      const untold = [...counts].filter(([, count]) => count > toldOfEachKind)
      return [
        ...told,
        ...untold.map(([kind, count]) => ({ kind, text: `and ${count - toldOfEachKind} more like these` })),
      ]
    },
  }
}
