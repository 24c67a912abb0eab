import type { ProfiledFunction } from '../run/job.ts'
import { scenarios } from '../scenarios/index.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { subjects } from '../subjects/index.ts'
import { figures, isSound, titleOf, type Group, type SubjectResult } from './group.ts'
import { isNoisy, noiseOf, type Noise } from './noise.ts'
import { spread, type Spread } from './statistics.ts'
import { table } from './table.ts'
import { comparisons, type Comparison } from './targets.ts'

/** One group: who took how long, and what that makes of us. */
export async function groupText(group: Group, best: number): Promise<string> {
  const scenario: Scenario = scenarios[group.scenario]
  const head = ['ns a record, median (min-max)', 'loop', 'drain', 'CPU', 'bytes', 'writes', 'peak MB', '']
  const rows = await Promise.all(group.results.map((result) => subjectRow(result, group.records)))
  const ratios = comparisons(group, scenario)
  const noise = noiseOf([group], best)
  return [
    `${group.scenario} to ${group.to}: ${scenario.question}; ${group.records.toLocaleString('en')} records`,
    table(head, rows),
    ...(ratios.length > 0 ? [comparisonTable(ratios, false)] : []),
    ...(isNoisy(noise) ? [`  noisy: ${noiseText(noise)}`] : []),
    ...group.results.flatMap(({ subject, problems }) =>
      [...new Set(problems)].map((problem) => `  VOID, ${subject}: ${problem}`),
    ),
  ].join('\n')
}

/** What a release must show, in one table. */
export function targetsText(groups: readonly Group[]): string {
  const all = groups.flatMap((group) => comparisons(group, scenarios[group.scenario]))
  const withTarget = all.filter(({ target }) => target !== undefined)
  const met = withTarget.filter(({ met }) => met === true).length
  if (withTarget.length === 0) return 'there is no target for this'
  return `${met} of ${withTarget.length} targets met\n${comparisonTable(withTarget, true)}`
}

/** Who the subjects are, and what each does with more than its destination takes. */
export async function subjectsText(groups: readonly Group[]): Promise<string> {
  const names = [...new Set(groups.flatMap(({ results }) => results.map(({ subject }) => subject)))]
  const rows = await Promise.all(
    names.map(async (name) => [name, await titleOf(name), (await subjects[name]()).whenFull]),
  )
  return rows.map(([name, title, whenFull]) => `  ${name}: ${title}; when full: ${whenFull}`).join('\n')
}

export const noiseText = ({ runs, disturbed, worst }: Noise): string =>
  `${disturbed} of ${runs} runs were disturbed, a fixed piece of work took up to ${worst.toFixed(2)} times its best`

/** The functions a subject spends its time in, the others' time excluded. */
export function profileText(functions: readonly ProfiledFunction[]): string {
  const rows = functions.map(({ name, place, share, nanos }) => [
    name,
    `${(share * 100).toFixed(1)} %`,
    nanos.toFixed(0),
    place,
  ])
  return table(['function', 'self', 'ns a record', 'place'], rows)
}

async function subjectRow(result: SubjectResult, records: number): Promise<string[]> {
  const writes = spread(result.runs.map((run) => run.writes ?? NaN))
  const bytes = spread(result.runs.map((run) => (run.bytes ?? NaN) / records))
  return [
    await titleOf(result.subject),
    withRange(spread(figures(result, 'loop')), nanos),
    withRange(spread(figures(result, 'drain')), nanos),
    nanos(spread(figures(result, 'cpu')).median),
    bytes.median.toFixed(0),
    String(writes.median),
    spread(figures(result, 'memory')).median.toFixed(0),
    isSound(result) ? '' : 'VOID',
  ]
}

function comparisonTable(all: readonly Comparison[], named: boolean): string {
  const rows = all.map(({ scenario, to, rival, figure, value, target, met, unsure }) => {
    const subject = rival === undefined ? `sluice ${figure}, ns` : `sluice / ${rival} ${figure}`
    const name = named ? `${scenario} to ${to}: ${subject}` : subject
    return [name, withRange(value, ratio), target === undefined ? '-' : String(target), verdict(met, unsure)]
  })
  return table(['', 'median (min-max)', 'target', ''], rows)
}

function verdict(met: boolean | undefined, unsure: boolean): string {
  if (met === undefined) return ''
  return (met ? 'met' : 'NOT MET') + (unsure ? ', but not in each run' : '')
}

const withRange = ({ median, min, max }: Spread, text: (value: number) => string): string =>
  `${text(median)} (${text(min)}-${text(max)})`

const nanos = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0))

const ratio = (value: number): string => value.toFixed(2)
