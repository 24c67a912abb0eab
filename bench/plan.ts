import type { Settings } from './command-line.ts'
import { scenarioNames, scenarioOf, type ScenarioName } from './scenarios/index.ts'
import type { Question, Variant } from './scenarios/scenario.ts'
import type { SubjectName } from './subjects/index.ts'
import { summaryCharts, summaryRuns } from './summary.ts'

/** One variant of a scenario, by several subjects. */
export interface Measurement {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly subjects: readonly SubjectName[]
  /** Of each subject. */
  readonly runs: number
}

/** What the command line selects, in the order in which it is run: without a scenario and `--full`, the summary. */
export function planOf(settings: Settings): Measurement[] {
  const { full, scenarios, variants } = settings
  if (!full && scenarios === undefined) return summaryPlan(settings)
  return (scenarios ?? scenarioNames).flatMap((scenario) => {
    const question = scenarioOf(scenario)
    const runs = runsOf(question, settings)
    return Object.entries<Variant>(question.variants)
      .filter(([name]) => variants === undefined || variants.includes(name))
      .map(([name, variant]) => ({ scenario, variant: name, subjects: subjectsFor(question, variant, settings), runs }))
  })
}

/** Each row of the summary once, although two of them may be figures of the same runs. */
function summaryPlan(settings: Settings): Measurement[] {
  const { variants, runs: most = summaryRuns } = settings
  const rows = summaryCharts.flatMap((chart) => chart.rows)
  const groups = Map.groupBy(rows, ({ scenario, variant }) => `${scenario} ${variant}`).values()
  return [...groups].flatMap(([row]) => {
    const { scenario, variant, subjects } = row!
    if (variants !== undefined && !variants.includes(variant)) return []
    const question = scenarioOf(scenario)
    const runs = Math.min(most, question.runs ?? most)
    return { scenario, variant, subjects: subjectsFor(question, { subjects }, settings), runs }
  })
}

/** Only the full form has the time for more runs than usual. */
function runsOf({ runs: wanted }: Question, { runs, full }: Settings): number {
  if (full && runs === undefined) return wanted ?? 5
  return Math.min(runs ?? 3, wanted ?? Infinity)
}

function subjectsFor({ ours = 'sluice', above }: Question, variant: Variant, settings: Settings): SubjectName[] {
  const { subjects, more = [] } = variant
  const { profile, baseline, full } = settings
  const selected = settings.subjects ?? (profile ? [] : full ? [...subjects, ...more] : subjects)
  // Where none of them is ours, such as the empty function, all are measured.
  const first: SubjectName[] = subjects.includes(ours) ? [ours] : []
  const earlier: SubjectName[] = baseline === undefined ? [] : ['baseline']
  const base: SubjectName[] = above === undefined || profile ? [] : [above.over]
  return [...new Set([...first, ...earlier, ...selected, ...base])]
}
