import { parseArgs } from 'node:util'
import { scenarioNames, scenarioOf, type ScenarioName } from './scenarios/index.ts'
import { subjectNames, type SubjectName } from './subjects/index.ts'

const variantNames = [...new Set(scenarioNames.flatMap((name) => Object.keys(scenarioOf(name).variants)))]

const usage = `usage: npm run bench -- [options]

Without options, measures the summary of docs/benchmarks.md, in less than ten minutes.

  --full               all scenarios, variants and rivals: more than an hour
  --scenario <name>    ${scenarioNames.join(', ')};
                       can be repeated
  --variant <name>     a destination (null, file, pipe), a size, a framework; can be repeated (default: all)
  --subject <name>     ${subjectNames.join(', ')};
                       can be repeated (default: those of the scenario)
  --runs <n>           how often each subject runs at most (default: 3, for the summary 5, with --full 5 or
                       what a scenario sets)
  --records <n>        how many records are timed (default: the scenario's)
  --baseline <dist>    compare with another build of sluice, for example ../other-clone/dist
  --profile            profile sluice, or the subjects given, instead of timing them
  --folder <path>      where files are written (default: the system's for temporary files)
  --report             with --full: write docs/benchmarks.md, its charts and its figures afterwards
  --from <file>        with --report: draw them from the figures of an earlier run, without measuring
  --save <file>        keep the figures of all runs in a file
  --resume <file>      continue the interrupted run that left this file
  --help               print this text`

export interface Settings {
  readonly full: boolean
  /** Undefined: all with `full`, else the summary. */
  readonly scenarios: readonly ScenarioName[] | undefined
  /** Undefined: all. */
  readonly variants: readonly string[] | undefined
  /** Undefined: those of the scenario. */
  readonly subjects: readonly SubjectName[] | undefined
  /** Undefined: what the form of the run and the scenario set. */
  readonly runs: number | undefined
  readonly records: number | undefined
  readonly baseline: string | undefined
  readonly profile: boolean
  readonly folder: string | undefined
  /** Write the page. */
  readonly report: boolean
  /** Draw from this file, and measure nothing. */
  readonly from: string | undefined
  /** Where the figures are kept; undefined: where a report keeps them, if there is one. */
  readonly save: string | undefined
  /** The figures of an interrupted run: what they contain is not measured again. */
  readonly resume: string | undefined
}

/** Parses the command line. Ends the process with 2 where it is invalid. */
export function readCommandLine(args: readonly string[]): Settings {
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.help === true) return end(usage, 0)
    refuseContradictions(values)
    return {
      full: values.full ?? false,
      scenarios: chosen('scenario', values.scenario, scenarioNames),
      variants: chosen('variant', values.variant, variantNames),
      subjects: chosen('subject', values.subject, subjectNames),
      runs: count('runs', values.runs),
      records: count('records', values.records),
      baseline: values.baseline,
      profile: values.profile ?? false,
      folder: values.folder,
      report: values.report ?? false,
      from: values.from,
      save: values.save,
      resume: values.resume,
    }
  } catch (error) {
    return end(`${(error as Error).message}\nnpm run bench -- --help lists the options`, 2)
  }
}

const options = {
  full: { type: 'boolean' },
  scenario: { type: 'string', multiple: true },
  variant: { type: 'string', multiple: true },
  subject: { type: 'string', multiple: true },
  runs: { type: 'string' },
  records: { type: 'string' },
  baseline: { type: 'string' },
  profile: { type: 'boolean' },
  folder: { type: 'string' },
  report: { type: 'boolean' },
  from: { type: 'string' },
  save: { type: 'string' },
  resume: { type: 'string' },
  help: { type: 'boolean' },
} as const

interface Given {
  readonly full?: boolean
  readonly profile?: boolean
  readonly report?: boolean
  readonly from?: string
  readonly save?: string
  readonly resume?: string
}

/** A page about half of the scenarios would look like one about all of them. */
function refuseContradictions({ full, profile, report, from, save, resume }: Given): void {
  if (from !== undefined && report !== true) throw new Error('--from: nothing is drawn without --report')
  if (from !== undefined && save !== undefined) throw new Error('--save: with --from nothing is measured')
  if (report === true && full !== true && from === undefined)
    throw new Error('--report: needs --full, or --from <file>')
  if (resume !== undefined && (from !== undefined || profile === true)) {
    throw new Error('--resume: needs a run that measures')
  }
  if (profile === true && (report === true || save !== undefined))
    throw new Error('--profile: a profile has no figures to keep')
}

function chosen<T extends string>(
  option: string,
  given: readonly string[] | undefined,
  known: readonly T[],
): T[] | undefined {
  const wrong = given?.find((name) => !known.includes(name as T))
  if (wrong !== undefined) throw new Error(`--${option} ${wrong}: must be one of ${known.join(', ')}`)
  return given as T[] | undefined
}

function count(option: string, given: string | undefined): number | undefined {
  if (given !== undefined && !/^[1-9]\d*$/.test(given))
    throw new Error(`--${option} ${given}: must be a whole number above 0`)
  return given === undefined ? undefined : Number(given)
}

function end(text: string, code: number): never {
  if (code === 0) console.log(text)
  else console.error(text)
  process.exit(code)
}
