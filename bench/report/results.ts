import { figures, type FigureName } from '../figures.ts'
import type { Run } from '../methods/method.ts'
import { scenarios, scenarioOf } from '../scenarios/index.ts'
import { subjects } from '../subjects/index.ts'
import type { Circumstances } from './circumstances.ts'
import type { Group, SubjectResult } from './group.ts'
import { printJson } from './print-json.ts'

/** The input of a report. */
export interface Results extends Circumstances {
  readonly groups: readonly Group[]
}

/** The runs of a subject in a file: one row for each figure, with `null` for runs without that figure. */
interface SavedResult {
  readonly subject: string
  readonly figures: Readonly<Record<string, readonly (number | null)[]>>
  readonly calibration: readonly (number | null)[]
  /** The problems of each run. Absent if no run has any. */
  readonly problems?: readonly (readonly string[])[]
}

/** Returns JSON with four significant digits, because further digits are noise. */
export function printResults({ groups, ...circumstances }: Results): string {
  const saved = groups.map((group) => ({ ...group, results: group.results.map(savedResult) }))
  return printJson({ ...circumstances, groups: saved })
}

/** @throws Error when the text contains a name that the benchmark no longer has */
export function parseResults(text: string): Results {
  const { groups, ...circumstances } = JSON.parse(text) as Circumstances & {
    groups: { scenario: Group['scenario']; variant: string; results: SavedResult[] }[]
  }
  return {
    ...circumstances,
    groups: groups.map(({ scenario, variant, results }) => {
      checkName('scenario', scenario, scenarios)
      checkName(`variant of ${scenario}`, variant, scenarioOf(scenario).variants)
      return { scenario, variant, results: results.map(resultOf) }
    }),
  }
}

function savedResult({ subject, runs }: SubjectResult): SavedResult {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.figures) as FigureName[]))]
  return {
    subject,
    figures: Object.fromEntries(names.map((name) => [name, runs.map((run) => rounded(run.figures[name]))])),
    calibration: runs.map((run) => rounded(run.calibration)),
    ...(runs.some(({ problems }) => problems.length > 0) && { problems: runs.map(({ problems }) => problems) }),
  }
}

function resultOf({ subject, figures: rows, calibration, problems }: SavedResult): SubjectResult {
  for (const name of Object.keys(rows)) checkName('figure', name, figures)
  const runs = calibration.map((taken, index): Run => {
    const found = Object.entries(rows).map(([name, row]) => [name, row[index] ?? NaN])
    return {
      figures: Object.fromEntries(found) as Run['figures'],
      calibration: taken ?? NaN,
      problems: problems?.[index] ?? [],
    }
  })
  return { subject: checkName('subject', subject, subjects), runs }
}

function checkName<T extends object>(what: string, name: string, all: T): keyof T {
  if (!Object.hasOwn(all, name))
    throw new Error(`the results contain the ${what} ${name}, which the benchmark no longer has: measure again`)
  return name as keyof T
}

const rounded = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(4))
