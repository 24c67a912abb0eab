import type { Settings } from './command-line.ts'
import { scenarios, type ScenarioName } from './scenarios/index.ts'
import { destinations, type Destination, type Scenario } from './scenarios/scenario.ts'
import type { SubjectName } from './subjects/index.ts'

/** One scenario to one destination by several subjects. */
export interface Match {
  readonly name: ScenarioName
  readonly scenario: Scenario
  readonly to: Destination
  readonly subjects: readonly SubjectName[]
  readonly records: number
}

/** What the command line asks for, in the order in which it is run. */
export function planOf(settings: Settings): Match[] {
  return settings.scenarios.flatMap((name) => {
    const scenario: Scenario = scenarios[name]
    return destinations
      .filter((to) => settings.to.includes(to) && scenario.rivals[to] !== undefined)
      .map((to) => {
        const subjects = subjectsFor(scenario, to, settings)
        return { name, scenario, to, subjects, records: settings.records ?? scenario.records }
      })
  })
}

function subjectsFor(scenario: Scenario, to: Destination, { subjects, baseline, profile }: Settings): SubjectName[] {
  const rivals = subjects ?? (profile ? [] : scenario.rivals[to]!)
  const asked: SubjectName[] = ['sluice', ...(baseline === undefined ? [] : (['baseline'] as const)), ...rivals]
  return [...new Set(asked)]
}
