import type { Settings } from './command-line.ts'
import { scenarioNames, scenarioOf, type ScenarioName } from './scenarios/index.ts'
import type { ScenarioDefinition, Variant } from './scenarios/scenario.ts'
import type { SubjectName } from './subjects/index.ts'
import { summaryCharts, summaryRuns } from './summary.ts'

/** One variant of a scenario, measured for several subjects. */
export interface Measurement {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly subjects: readonly SubjectName[]
  /** The number of runs of each subject. */
  readonly runs: number
}

/** Returns the selected measurements in the order in which they run. The default is the summary. */
export function planOf(settings: Settings): Measurement[] {
  const { full, scenarios, variants } = settings
  if (!full && scenarios === undefined) return summaryPlan(settings)
  return (scenarios ?? scenarioNames).flatMap((scenario) => {
    const definition = scenarioOf(scenario)
    const runs = runsOf(definition, settings)
    return Object.entries<Variant>(definition.variants)
      .filter(([name]) => variants === undefined || variants.includes(name))
      .map(([name, variant]) => ({
        scenario,
        variant: name,
        subjects: subjectsFor(definition, variant, settings),
        runs,
      }))
  })
}

/** Measures each variant of the summary once, although several rows can be figures of the same runs. */
function summaryPlan(settings: Settings): Measurement[] {
  const { variants, runs: most = summaryRuns } = settings
  const rows = summaryCharts.flatMap((chart) => chart.rows)
  const groups = Map.groupBy(rows, ({ scenario, variant }) => `${scenario} ${variant}`).values()
  return [...groups].flatMap(([row]) => {
    const { scenario, variant, subjects } = row!
    if (variants !== undefined && !variants.includes(variant)) return []
    const definition = scenarioOf(scenario)
    const runs = Math.min(most, definition.runs ?? most)
    return { scenario, variant, subjects: subjectsFor(definition, { subjects }, settings), runs }
  })
}

/** Only `--full` has the time for more runs than the default. */
function runsOf({ runs: own }: ScenarioDefinition, { runs, full }: Settings): number {
  if (full && runs === undefined) return own ?? 5
  return Math.min(runs ?? 3, own ?? Infinity)
}

function subjectsFor(
  { ours = 'sluice', difference }: ScenarioDefinition,
  variant: Variant,
  settings: Settings,
): SubjectName[] {
  const { subjects, more = [] } = variant
  const { profile, baseline, full } = settings
  const selected = settings.subjects ?? (profile ? [] : full ? [...subjects, ...more] : subjects)
  // A variant without a sluice subject, such as the empty function, has its subjects only.
  const first: SubjectName[] = subjects.includes(ours) ? [ours] : []
  const earlier: SubjectName[] = baseline === undefined ? [] : ['baseline']
  const base: SubjectName[] = difference === undefined || profile ? [] : [difference.baseline]
  return [...new Set([...first, ...earlier, ...selected, ...base])]
}
