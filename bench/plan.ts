import type { Settings } from './command-line.ts'
import { scenarioOf, type ScenarioName } from './scenarios/index.ts'
import type { Question, Variant } from './scenarios/scenario.ts'
import type { SubjectName } from './subjects/index.ts'

/** One variant of a scenario, by several subjects. */
export interface Match {
  readonly scenario: ScenarioName
  readonly variant: string
  readonly subjects: readonly SubjectName[]
  /** Of each subject. */
  readonly runs: number
}

/** What the command line asks for, in the order in which it is run. */
export function planOf(settings: Settings): Match[] {
  return settings.scenarios.flatMap((scenario) => {
    const asked = scenarioOf(scenario)
    const runs = runsOf(asked, settings)
    return Object.entries<Variant>(asked.variants)
      .filter(([name, variant]) => isAsked(name, variant, settings))
      .map(([name, variant]) => ({ scenario, variant: name, subjects: subjectsFor(asked, variant, settings), runs }))
  })
}

/** Only the full form has the time for those that a scenario wants beyond the usual. */
function runsOf({ runs: wanted }: Question, { runs, runsSaid, full }: Settings): number {
  return full && !runsSaid ? (wanted ?? runs) : Math.min(runs, wanted ?? Infinity)
}

function isAsked(name: string, { fullOnly = false }: Variant, { variants, full, named }: Settings): boolean {
  if (variants !== undefined) return variants.includes(name)
  return full || named || !fullOnly
}

function subjectsFor({ ours = 'sluice' }: Question, variant: Variant, settings: Settings): SubjectName[] {
  const { subjects, more = [] } = variant
  const { profile, baseline, full } = settings
  const asked = settings.subjects ?? (profile ? [] : full ? [...subjects, ...more] : subjects)
  // Without a subject of ours, such as the empty function, all are asked as they stand there.
  const first: SubjectName[] = subjects.includes(ours) ? [ours] : []
  const earlier: SubjectName[] = baseline === undefined ? [] : ['baseline']
  return [...new Set([...first, ...earlier, ...asked])]
}
