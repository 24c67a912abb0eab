import { unknownLevelName } from '../levels/directive-problems.ts'
import { levelName } from '../record/level-names.ts'
import { foreignChildOptionNames } from '../options/foreign-logger-names.ts'
import { anything, checkOptions, functionLike, object, objectLike, table, text } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { resolveLimits } from '../values/limits.ts'
import { compileRedaction } from '../redact/redact.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LoggerCoreState } from './logger-core.ts'
import type { ChildOptions } from './types.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** The settings of a child logger. */
export interface ChildSettings {
  /** The parent's rules combined with the child's; the parent's object itself if the options add no rules. */
  readonly rules: Rules
  /** A copy of the options, without those that only concern a framework. */
  readonly options: ChildOptions
  /** Whether a framework creates the child. */
  readonly isForFramework: boolean
}

/** Checks and compiles the options of a child logger. Errors are added to `problems`. */
export function compileChildSettings(
  parent: Rules,
  givenOptions: ChildOptions,
  { levels, childAdapter }: LoggerCoreState,
  problems: ConfigurationProblem[],
): ChildSettings {
  const normalizedOptions = copyOptions(childAdapter.normalize(givenOptions), '', problems, ['serializers', 'limits'], {
    'a string': "child({ … }, { level: 'debug' })",
  })
  const isForFramework =
    typeof normalizedOptions === 'object' &&
    normalizedOptions !== null &&
    childAdapter.areFrameworkOptions(normalizedOptions)
  const loggerOptions = isForFramework
    ? childAdapter.withoutFrameworkOptions(normalizedOptions, parent)
    : normalizedOptions
  checkOptions(loggerOptions, schema, '', problems, foreignChildOptionNames)
  const options = withoutPrototype(typeof loggerOptions === 'object' && loggerOptions !== null ? loggerOptions : {})
  const { level, redact, serializers, limits } = options
  if (level !== undefined && levels.threshold(level) === undefined) {
    const message = unknownLevelName(level, levels)
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'level', message })
  }
  if (redact === undefined && serializers === undefined && limits === undefined)
    return { rules: parent, options, isForFramework }
  const rules: Rules = {
    redaction: compileRedaction(redact, 'redact', problems, parent.redaction),
    serializers: new Map([...parent.serializers, ...Object.entries(serializers ?? {})]),
    limits: resolveLimits(limits, 'limits', problems, parent.limits),
  }
  return { rules, options, isForFramework }
}

const schema = {
  name: text(/^[\s\S]/, 'not be empty'),
  level: levelName,
  messagePrefix: text(),
  context: object,
  redact: anything,
  serializers: table(functionLike('(value) => …'), '{ err: (error) => … }'),
  limits: objectLike('{ depth: 10 }'),
}
