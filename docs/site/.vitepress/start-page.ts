/** A block of code in a Markdown page. */
export interface CodeBlock {
  readonly language: string
  readonly code: string
}

/** Returns the blocks of code under a heading of the second level, in their order. */
export function blocksUnder(heading: string, markdown: string): CodeBlock[] {
  const [, section] = markdown.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`The heading ${heading} is missing`)
  const [text = ''] = section.split(/\n## /)
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
}

/** What the start page needs of docs/benchmarks/results.json. */
export interface BenchmarkResults {
  readonly date: string
  readonly machine: { readonly cpu: string; readonly cores: string }
  readonly versions: Readonly<Record<string, string>>
  readonly groups: readonly {
    readonly scenario: string
    readonly variant: string
    readonly results: readonly {
      readonly subject: string
      readonly figures: Readonly<Record<string, readonly number[] | undefined>>
    }[]
  }[]
}

/** A figure with what was measured. */
export interface MeasuredNumber {
  readonly value: string
  readonly text: string
}

/** Returns the three numbers of the start page: medians, with the minimum and the maximum of the runs. */
export function measuredNumbers(results: BenchmarkResults): MeasuredNumber[] {
  const request = cpuRatios(results, 'request-child', 'two')
  const mix = cpuRatios(results, 'service-mix', 'turns-10')
  const memory = figures(results, 'memory', 'file', 'sluice', 'memory')
  const peerMemory = figures(results, 'memory', 'file', 'pino-sync', 'memory')
  return [
    {
      value: `${percent(median(request))}\u00a0%`,
      text: `of pino’s CPU time for a request with a child logger and two records (${range(request.map(percent))}\u00a0%)`,
    },
    {
      value: `${percent(median(mix))}\u00a0%`,
      text: `of pino’s CPU time for a program with 64 call sites that logs 10 records per event-loop turn (${range(mix.map(percent))}\u00a0%)`,
    },
    {
      value: `${Math.round(median(memory))}\u00a0MB`,
      text: `more memory for a burst of a million records to a file (${range(memory.map(Math.round))}\u00a0MB), compared with ${Math.round(median(peerMemory))}\u00a0MB for pino`,
    },
  ]
}

/** Returns the CPU time of each run, divided by that of pino in the same run. */
function cpuRatios(results: BenchmarkResults, scenario: string, variant: string): number[] {
  const peer = figures(results, scenario, variant, 'pino-sync', 'cpu')
  return figures(results, scenario, variant, 'sluice', 'cpu').map((figure, run) => figure / peer[run]!)
}

function figures(
  { groups }: BenchmarkResults,
  scenario: string,
  variant: string,
  subject: string,
  figure: string,
): readonly number[] {
  const group = groups.find((group) => group.scenario === scenario && group.variant === variant)
  const found = group?.results.find((result) => result.subject === subject)?.figures[figure]
  if (found === undefined || found.length === 0)
    throw new Error(`The benchmark results have no ${figure} of ${subject} in ${scenario}/${variant}`)
  return found
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function percent(ratio: number): number {
  return Math.round(ratio * 100)
}

function range(values: readonly number[]): string {
  return `${Math.min(...values)} to ${Math.max(...values)}`
}
