import { oneLine } from './one-line.ts'
import { member } from './own-members.ts'

/** A problem in the options. */
export interface ConfigurationProblem {
  /** A stable code, for example `SLUICE_PATH_SYNTAX`. All codes are listed in `docs/reference/errors.md`. */
  readonly code: string
  /** The path of the invalid value in the options, for example `redact.paths[2]`. */
  readonly path: string
  /** The offset inside the invalid string, in characters, if there is one. */
  readonly position?: number
  /** What is wrong and what to do. */
  readonly message: string
}

/** The error that is thrown at construction if options are invalid. It lists all problems at once. Log calls never throw it. */
export class ConfigurationError extends Error {
  /** Identifies these errors where `instanceof` does not work. */
  override readonly name = 'ConfigurationError'
  /**
   * `SLUICE_CONFIG` for invalid options, `SLUICE_DESTINATION_CONFLICT` and `SLUICE_EXPORTER_IN_USE` for exporters that cannot be
   * used together or twice.
   */
  readonly code: string
  /** All problems, in the order of the options. */
  readonly problems: readonly ConfigurationProblem[]

  /** @param caller - name of the function that was called, unless the paths of the problems begin with it */
  constructor(problems: readonly ConfigurationProblem[], code = 'SLUICE_CONFIG', caller?: string) {
    const sanitized = problems.map(sanitizedProblem)
    const prefix = caller === undefined ? code : `${code}: ${caller}`
    super(`${prefix}: ${listed(sanitized.map(describe))}`)
    this.code = code
    this.problems = sanitized
  }
}

/** The maximum number of problems in the message of an error. `problems` contains all of them. */
const maxListed = 20

function listed(descriptions: readonly string[]): string {
  const more = descriptions.length - maxListed
  return descriptions.slice(0, maxListed).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Returns a problem with sanitized text: option names and redaction paths come from the user's objects. */
function sanitizedProblem(problem: ConfigurationProblem): ConfigurationProblem {
  return { ...problem, path: oneLine(problem.path, 200), message: oneLine(problem.message) }
}

function describe(problem: ConfigurationProblem): string {
  const position = member(problem, 'position')
  const where = position === undefined ? problem.path : `${problem.path} at ${position}`
  return where === '' ? `${problem.message} (${problem.code})` : `${where}: ${problem.message} (${problem.code})`
}

/**
 * An internal event of this package at run time. It is reported to `onDiagnostic`, or else to stderr, at most once a minute for
 * each code.
 */
export interface Diagnostic {
  /** A stable code, for example `SLUICE_WRITE_FAILED`. All codes are listed in `docs/reference/errors.md`. */
  readonly code: string
  /** One sentence. It contains no user values and no secret that a redaction rule matches. */
  readonly message: string
  /** The number of records lost so far because of it, if records were lost. */
  readonly records?: number
}

/** A function that receives the diagnostics of this package. It must not throw; exceptions are ignored. */
export type OnDiagnostic = (problem: Diagnostic) => void
