import { oneLine } from './one-line.ts'
import { member } from './own-members.ts'

/** One thing that is wrong in the options given to this package. */
export interface ConfigurationProblem {
  /** A stable code, for example `SLUICE_PATH_SYNTAX`; the table is in `docs/reference/errors.md`. */
  readonly code: string
  /** Where the offending value stands in the options, for example `redact.paths[2]`. */
  readonly path: string
  /** The offset in characters inside the offending string, where it has one. */
  readonly position?: number
  /** What is wrong and what to do. */
  readonly message: string
}

/** Thrown at construction when options are wrong: it lists all problems at once. Never thrown by a log call. */
export class ConfigurationError extends Error {
  /** Tells these errors from others where a class cannot. */
  override readonly name = 'ConfigurationError'
  /** `SLUICE_CONFIG` for wrong options, `SLUICE_DESTINATION_CONFLICT` and `SLUICE_EXPORTER_IN_USE` for wrong use. */
  readonly code: string
  /** Every problem found, in the order of the options. */
  readonly problems: readonly ConfigurationProblem[]

  constructor(problems: readonly ConfigurationProblem[], code = 'SLUICE_CONFIG') {
    const told = problems.map(readable)
    super(`${code}: ${listed(told.map(describe))}`)
    this.code = code
    this.problems = told
  }
}

/** How many problems the message of an error lists; all of them are in `problems`. */
const mostListed = 20

function listed(descriptions: readonly string[]): string {
  const more = descriptions.length - mostListed
  return descriptions.slice(0, mostListed).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Names of options and paths of redaction come from the user's objects. */
function readable(problem: ConfigurationProblem): ConfigurationProblem {
  return { ...problem, path: oneLine(problem.path, 200), message: oneLine(problem.message) }
}

function describe(problem: ConfigurationProblem): string {
  const position = member(problem, 'position')
  const where = position === undefined ? problem.path : `${problem.path} at ${position}`
  return where === '' ? `${problem.message} (${problem.code})` : `${where}: ${problem.message} (${problem.code})`
}

/** Trouble of this package's own while it runs: told to `onDiagnostic`, else to stderr, at most once a minute for each code. */
export interface Diagnostic {
  /** A stable code, for example `SLUICE_WRITE_FAILED`; the table is in `docs/reference/errors.md`. */
  readonly code: string
  /** One sentence; no secret that a rule covers and no user value stands in it. */
  readonly message: string
  /** How many records were lost by it so far, when records were lost. */
  readonly records?: number
}

/** Takes this package's own trouble. It must not throw; what it throws is ignored. */
export type OnDiagnostic = (problem: Diagnostic) => void
