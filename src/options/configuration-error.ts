import { define } from './define-member.ts'
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
  /** Two lines: the part of the invalid string around the position, and a caret below the position. Undefined for other problems. */
  readonly excerpt?: string
}

/**
 * A problem with an unknown option for which there is no suggestion. `ConfigurationError` adds the valid names to the message if no other
 * option is unknown.
 */
export interface UnknownOptionProblem extends ConfigurationProblem {
  readonly validNames: readonly string[]
}

/** A member of the errors of each copy of the class: an ES module and a CommonJS module of this package have one each. */
const brand: symbol = Symbol.for('sluice/v1/configuration-error')

/** The error that is thrown at construction if options are invalid. It lists all problems at once. Log calls never throw it. */
export class ConfigurationError extends Error {
  /** Identifies these errors where `instanceof` does not work. */
  override readonly name = 'ConfigurationError'
  /**
   * `SLUICE_CONFIG` for invalid options, `SLUICE_DESTINATION_CONFLICT` for exporters that cannot be used together, and
   * `SLUICE_EXPORTER_IN_USE` for an exporter that is used twice.
   */
  readonly code: string
  /** All problems, in the order in which they were found. */
  readonly problems: readonly ConfigurationProblem[]

  /** Returns whether a value is an error of this class, in the ES module or the CommonJS build of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass has only one copy.
    if (this !== ConfigurationError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && brand in value
  }

  /** @param caller - the name of the function that was called; omitted if the paths of the problems begin with it */
  constructor(problems: readonly ConfigurationProblem[], code = 'SLUICE_CONFIG', caller?: string) {
    const listsNames = problems.filter(({ code }) => code === 'SLUICE_OPTION_UNKNOWN').length === 1
    const sanitized = problems.map((problem) => sanitizeProblem(withAdvice(problem, listsNames)))
    const prefix = caller === undefined ? code : `${code}: ${caller}`
    const excerpts = sanitized
      .slice(0, maxListedProblems)
      .flatMap((problem) => member(problem, 'excerpt')?.split('\n') ?? [])
    super([`${prefix}: ${joinDescriptions(sanitized.map(describe))}`, ...excerpts].join('\n  '))
    this.code = code
    this.problems = sanitized
  }
}

define(ConfigurationError.prototype, brand, { value: true })

/** The maximum number of problems in the message of an error. `problems` contains all of them. */
const maxListedProblems = 20

function joinDescriptions(descriptions: readonly string[]): string {
  const more = descriptions.length - maxListedProblems
  return descriptions.slice(0, maxListedProblems).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/**
 * Returns a problem with advice, if it is an `UnknownOptionProblem`: the valid names, or to remove the option if several options are
 * unknown, because each list of names would be long.
 */
function withAdvice(problem: ConfigurationProblem, listsNames: boolean): ConfigurationProblem {
  if (!Object.hasOwn(problem, 'validNames')) return problem
  const { validNames, message, ...rest } = problem as UnknownOptionProblem
  return { ...rest, message: `${message}; ${listsNames ? `valid options are ${joinShort(validNames)}` : 'remove it'}` }
}

/** Joins as many names as fit into a short message. */
function joinShort(names: readonly string[]): string {
  const all = names.join(', ')
  return all.length <= maxNamesLength ? all : `${all.slice(0, all.lastIndexOf(', ', maxNamesLength))}, …`
}

/** The maximum length of a list of valid options, in characters. */
const maxNamesLength = 120

/**
 * Calls a function that can throw a `ConfigurationError`, and adds its problems to `problems`, so that one error reports all problems of a
 * call. Returns undefined if it throws.
 */
export function collectProblems<T>(problems: ConfigurationProblem[], callee: () => T): T | undefined {
  try {
    return callee()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}

/** Returns a problem whose texts are safe in a message, because option names and redaction paths come from the user's objects. */
function sanitizeProblem(problem: ConfigurationProblem): ConfigurationProblem {
  return { ...problem, path: oneLine(problem.path, 200), message: oneLine(problem.message) }
}

/** Returns the text of a problem in the message of the error: path, message and code. */
function describe(problem: ConfigurationProblem): string {
  const position = member(problem, 'position')
  const where = position === undefined ? problem.path : `${problem.path} at ${position}`
  return where === '' ? `${problem.message} (${problem.code})` : `${where}: ${problem.message} (${problem.code})`
}

/**
 * An internal event of this package at run time. It is reported to `onDiagnostic`, or else to stderr. Most codes are reported at
 * most once a minute.
 */
export interface Diagnostic {
  /** A stable code, for example `SLUICE_WRITE_FAILED`. All codes are listed in `docs/reference/errors.md`. */
  readonly code: string
  /** One sentence. It contains no user values and no secret that a redaction rule matches. */
  readonly message: string
  /** The number of records lost so far because of the event, if records were lost. */
  readonly records?: number
}

/** A function that receives the diagnostics of this package. It must not throw; exceptions are ignored. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void
