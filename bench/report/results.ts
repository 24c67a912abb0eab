import { figures, type FigureName } from '../figures.ts'
import type { Run } from '../methods/method.ts'
import { scenarios, scenarioOf } from '../scenarios/index.ts'
import { subjects } from '../subjects/index.ts'
import type { Circumstances } from './circumstances.ts'
import type { Group, SubjectResult } from './group.ts'
import { printJson } from './print-json.ts'

/** Everything that a report is created from. */
export interface Results extends Circumstances {
  readonly groups: readonly Group[]
}

/** A subject's runs as a file keeps them: one row for each figure. `null` where a run has no such figure. */
interface KeptResult {
  readonly subject: string
  readonly figures: Readonly<Record<string, readonly (number | null)[]>>
  readonly calibration: readonly (number | null)[]
  /** Of each run; absent where no run has any. */
  readonly problems?: readonly (readonly string[])[]
}

/** As JSON, with numbers of four digits: further digits are noise. */
export function printResults({ groups, ...circumstances }: Results): string {
  const kept = groups.map((group) => ({ ...group, results: group.results.map(keptResult) }))
  return printJson({ ...circumstances, groups: kept })
}

/** @throws Error when the text contains a name that the benchmark no longer has: measure again then. */
export function parseResults(text: string): Results {
  const { groups, ...circumstances } = JSON.parse(text) as Circumstances & {
    groups: { scenario: Group['scenario']; variant: string; results: KeptResult[] }[]
  }
  return {
    ...circumstances,
    groups: groups.map(({ scenario, variant, results }) => {
      known('scenario', scenario, scenarios)
      known(`variant of ${scenario}`, variant, scenarioOf(scenario).variants)
      return { scenario, variant, results: results.map(resultOf) }
    }),
  }
}

function keptResult({ subject, runs }: SubjectResult): KeptResult {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.figures) as FigureName[]))]
  return {
    subject,
    figures: Object.fromEntries(names.map((name) => [name, runs.map((run) => rounded(run.figures[name]))])),
    calibration: runs.map((run) => rounded(run.calibration)),
    ...(runs.some(({ problems }) => problems.length > 0) && { problems: runs.map(({ problems }) => problems) }),
  }
}

function resultOf({ subject, figures: rows, calibration, problems }: KeptResult): SubjectResult {
  for (const name of Object.keys(rows)) known('figure', name, figures)
  const runs = calibration.map((taken, index): Run => {
    const found = Object.entries(rows).map(([name, row]) => [name, row[index] ?? NaN])
    return {
      figures: Object.fromEntries(found) as Run['figures'],
      calibration: taken ?? NaN,
      problems: problems?.[index] ?? [],
    }
  })
  return { subject: known('subject', subject, subjects), runs }
}

function known<T extends object>(what: string, name: string, all: T): keyof T {
  if (!Object.hasOwn(all, name))
    throw new Error(`the results contain the ${what} ${name}, which the benchmark no longer has: measure again`)
  return name as keyof T
}

const rounded = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(4))
