import { figureOf, formatFigure } from '../figures.ts'
import type { ProfiledFunction } from '../run/profile.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { subjects } from '../subjects/index.ts'
import { limitText, verdict, withRange } from './cells.ts'
import { isValid, problemsOf, titleOf, valuesOf, type Group, type SubjectResult } from './group.ts'
import { isNoisy, noiseOf, type Noise } from './noise.ts'
import { spread } from './statistics.ts'
import { table } from './table.ts'
import { comparisons, type Comparison } from './targets.ts'

/** Returns the figures of a group's subjects, and the ratios. */
export async function groupText(group: Group, best: number): Promise<string> {
  const { description, figures } = scenarioOf(group.scenario)
  const head = [
    `median (min-max) of ${group.results[0]!.runs.length}`,
    ...figures.map((figure) => figureOf(figure).title),
    '',
  ]
  const rows = await Promise.all(group.results.map((result) => subjectRow(group, result)))
  const ratios = comparisons(group)
  const noise = noiseOf([group], best)
  return [
    `${group.scenario}, ${group.variant}: ${description}`,
    table(head, rows),
    ...(ratios.length > 0 ? [comparisonTable(ratios, false)] : []),
    ...(isNoisy(noise) ? [`  noisy: ${noiseText(noise)}`] : []),
    ...group.results.flatMap((result) =>
      problemsOf(result).map((problem) => `  INVALID, ${result.subject}: ${problem}`),
    ),
  ].join('\n')
}

/** Returns all targets in one table. */
export function targetsText(groups: readonly Group[]): string {
  const withTarget = groups.flatMap(comparisons).filter(({ target }) => target !== undefined)
  const met = withTarget.filter(({ met }) => met === true).length
  if (withTarget.length === 0) return 'no targets'
  return `${met} of ${withTarget.length} targets met\n${comparisonTable(withTarget, true)}`
}

/** Describes the subjects, and what each does when its destination cannot keep up. */
export async function subjectsText(groups: readonly Group[]): Promise<string> {
  const names = [...new Set(groups.flatMap(({ results }) => results.map(({ subject }) => subject)))]
  const rows = await Promise.all(
    names.map(async (name) => [name, await titleOf(name), (await subjects[name]()).whenFull]),
  )
  return rows.map(([name, title, whenFull]) => `  ${name}: ${title}; when full: ${whenFull}`).join('\n')
}

export const noiseText = ({ runs, disturbed, worst }: Noise): string =>
  runs === 0
    ? 'No run was calibrated'
    : `${disturbed} of ${runs} runs were disturbed: calibration work took more than 1.15 times its best time, at most ${worst.toFixed(2)} times`

/** Returns the functions with the longest self time. */
export function profileText(functions: readonly ProfiledFunction[]): string {
  const rows = functions.map(({ name, place, share, nanos }) => [
    name,
    `${(share * 100).toFixed(1)} %`,
    nanos.toFixed(0),
    place,
  ])
  return table(['function', 'self', 'ns per record', 'place'], rows)
}

async function subjectRow({ scenario }: Group, result: SubjectResult): Promise<string[]> {
  const { figures, compared } = scenarioOf(scenario)
  const cells = figures.map((figure) => {
    const value = spread(valuesOf(result, figure))
    const text = (value: number) => formatFigure(value, figure)
    return compared.includes(figure) ? withRange(value, text) : text(value.median)
  })
  return [await titleOf(result.subject), ...cells, isValid(result) ? '' : 'INVALID']
}

function comparisonTable(all: readonly Comparison[], named: boolean): string {
  const rows = all.map((comparison) => {
    const { scenario, variant, ours, rival, figure, value } = comparison
    const { title } = figureOf(figure)
    const subject = rival === undefined ? `${ours} ${title}` : `${ours} / ${rival} ${title}`
    const text = (value: number) => (rival === undefined ? formatFigure(value, figure) : value.toFixed(2))
    const name = named ? `${scenario}, ${variant}: ${subject}` : subject
    return [name, withRange(value, text), limitText(comparison), verdict(comparison)]
  })
  return table(['', 'median (min-max)', 'target', ''], rows)
}
