import { parseArgs } from 'node:util'
import { scenarioNames, scenarioOf, type ScenarioName } from './scenarios/index.ts'
import { subjectNames, type SubjectName } from './subjects/index.ts'

const variantNames = [...new Set(scenarioNames.flatMap((name) => Object.keys(scenarioOf(name).variants)))]

const usage = `usage: npm run bench -- [options]

Without options, measures the summary of docs/benchmarks.md, in less than ten minutes.

  --full               measure all scenarios, variants and rivals, which takes more than an hour
  --scenario <name>    ${scenarioNames.join(', ')};
                       can be repeated
  --variant <name>     a destination (null, file, pipe), a size, a framework; can be repeated (default: all)
  --subject <name>     ${subjectNames.join(', ')};
                       can be repeated (default: the subjects of the scenario)
  --runs <n>           maximum number of runs of each subject (default: 3; 5 for the summary; with --full 5 or
                       the number that the scenario sets)
  --records <n>        number of timed records (default: set by the scenario)
  --baseline <dist>    compare with another build of sluice, for example ../other-clone/dist
  --profile            profile sluice, or the given subjects, instead of timing them
  --folder <path>      directory for temporary files (default: the temporary directory of the system)
  --report             with --full: write docs/benchmarks.md, its charts and docs/benchmarks/results.json
  --from <file>        with --report: generate them from saved results, without measuring
  --save <file>        save the figures of all runs in a file
  --resume <file>      continue the interrupted run that saved this file
  --help               print this text`

export interface Settings {
  readonly full: boolean
  /** Undefined for all scenarios with `full`, and for the summary without. */
  readonly scenarios: readonly ScenarioName[] | undefined
  /** Undefined for all variants. */
  readonly variants: readonly string[] | undefined
  /** Undefined for the subjects of each scenario. */
  readonly subjects: readonly SubjectName[] | undefined
  /** Undefined for the default of the benchmark or of the scenario. */
  readonly runs: number | undefined
  readonly records: number | undefined
  readonly baseline: string | undefined
  readonly profile: boolean
  readonly folder: string | undefined
  /** Writes the page. */
  readonly report: boolean
  /** The page is generated from this file, and nothing is measured. */
  readonly from: string | undefined
  /** The file for the figures. Undefined for the file of the report, if one is written. */
  readonly save: string | undefined
  /** The file of an interrupted run, whose measurements are not repeated. */
  readonly resume: string | undefined
}

/** Parses the command line. Exits with code 2 if it is invalid. */
export function readCommandLine(args: readonly string[]): Settings {
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.help === true) return exitWith(usage, 0)
    rejectConflicts(values)
    return {
      full: values.full ?? false,
      scenarios: choices('scenario', values.scenario, scenarioNames),
      variants: choices('variant', values.variant, variantNames),
      subjects: choices('subject', values.subject, subjectNames),
      runs: integer('runs', values.runs),
      records: integer('records', values.records),
      baseline: values.baseline,
      profile: values.profile ?? false,
      folder: values.folder,
      report: values.report ?? false,
      from: values.from,
      save: values.save,
      resume: values.resume,
    }
  } catch (error) {
    return exitWith(`${(error as Error).message}\nnpm run bench -- --help lists the options`, 2)
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

interface Conflicting {
  readonly full?: boolean
  readonly profile?: boolean
  readonly report?: boolean
  readonly from?: string
  readonly save?: string
  readonly resume?: string
}

/** Rejects options that contradict each other: for example, a page of some scenarios would look like the page of all. */
function rejectConflicts({ full, profile, report, from, save, resume }: Conflicting): void {
  if (from !== undefined && report !== true) throw new Error('--from: requires --report')
  if (from !== undefined && save !== undefined) throw new Error('--save: cannot be combined with --from')
  if (report === true && full !== true && from === undefined)
    throw new Error('--report: requires --full or --from <file>')
  if (resume !== undefined && (from !== undefined || profile === true)) {
    throw new Error('--resume: cannot be combined with --from or --profile')
  }
  if (profile === true && (report === true || save !== undefined))
    throw new Error('--profile: cannot be combined with --report or --save')
}

function choices<T extends string>(
  option: string,
  given: readonly string[] | undefined,
  known: readonly T[],
): T[] | undefined {
  const wrong = given?.find((name) => !known.includes(name as T))
  if (wrong !== undefined) throw new Error(`--${option} ${wrong}: must be one of ${known.join(', ')}`)
  return given as T[] | undefined
}

function integer(option: string, given: string | undefined): number | undefined {
  if (given !== undefined && !/^[1-9]\d*$/.test(given))
    throw new Error(`--${option} ${given}: must be a positive integer`)
  return given === undefined ? undefined : Number(given)
}

function exitWith(text: string, code: number): never {
  if (code === 0) console.log(text)
  else console.error(text)
  process.exit(code)
}
