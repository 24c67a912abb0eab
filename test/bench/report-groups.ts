import type { Circumstances } from '../../bench/report/circumstances.ts'
import type { Group } from '../../bench/report/group.ts'
import type { Figures } from '../../bench/figures.ts'
import type { SubjectName } from '../../bench/subjects/index.ts'

/** The figures of the runs of one subject. `problems` are those of its last run. */
export interface Measured {
  readonly figures: Readonly<Partial<Record<keyof Figures, readonly number[]>>>
  readonly problems?: readonly string[]
}

/** Returns the results of a group on a machine whose calibration work took `calibration` each time. */
export function groupOf(
  scenario: Group['scenario'],
  variant: string,
  subjects: Readonly<Partial<Record<SubjectName, Measured>>>,
  calibration: readonly number[] = [10, 10, 10],
): Group {
  const results = Object.entries(subjects).map(([subject, { figures, problems = [] }]) => ({
    subject: subject as SubjectName,
    runs: calibration.map((calibration, index) => ({
      figures: Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, values[index]])) as Figures,
      calibration,
      problems: index === 2 ? problems : [],
    })),
  }))
  return { scenario, variant, results }
}

/** Returns the same times for the loop, the drain and the CPU. */
export const times = (...values: readonly number[]): Measured['figures'] => ({
  loop: values,
  drain: values,
  cpu: values,
})

export const circumstances: Circumstances = {
  command: 'npm run bench -- --full --report',
  date: '2026-11-21T09:56:03.123Z',
  minutes: 61.5,
  runs: 3,
  planned: 1,
  machine: { cpu: 'A 9000', cores: '4', memory: '15.6 GiB', system: 'Debian', kernel: 'Linux 6.1' },
  versions: { node: '24.21.0', v8: '13.6', sluice: '0.1.0', pino: '10.4.0' },
  commit: '0123456789ab',
  dirty: false,
}

/** A group in which sluice takes half the time of one rival and a fifth of the other's. */
export const fast = groupOf('string', 'file', {
  sluice: { figures: times(180, 200, 240) },
  'pino-sync': { figures: times(1_000, 1_000, 1_000) },
  'pino-buffered': { figures: times(400, 400, 400) },
})
