import { anything, checkOptions, object, table, text, callback, unknownName } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { resolveLimits } from '../values/limits.ts'
import { compileRedaction } from '../redact/redact.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LoggerCore } from './logger-core.ts'
import type { ChildOptions } from './types.ts'
import { ownCopy } from '../options/own-members.ts'

/** The settings of a child logger. */
export interface ChildSettings {
  /** The parent's rules combined with the child's; the parent's object itself if the options add no rules. */
  readonly rules: Rules
  /** The options at the time of the call. */
  readonly options: ChildOptions
  /** Whether a framework creates the child. */
  readonly forFramework: boolean
}

export function childSettings(
  parent: Rules,
  given: ChildOptions,
  { levels, childAdapter }: LoggerCore,
  problems: ConfigurationProblem[],
): ChildSettings {
  const all = ownOptions(childAdapter.normalize(given), '', problems, ['serializers', 'limits'])
  const forFramework = typeof all === 'object' && all !== null && childAdapter.isFramework(all)
  const own = forFramework ? childAdapter.withoutFrameworkOptions(all, parent) : all
  checkOptions(own, schema, '', problems)
  const options = ownCopy(typeof own === 'object' && own !== null ? own : {})
  const { level, redact, serializers, limits } = options
  if (level !== undefined && levels.threshold(level) === undefined) {
    const message = unknownName('level', level, [...levels.names, 'silent'])
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'level', message })
  }
  if (redact === undefined && serializers === undefined && limits === undefined)
    return { rules: parent, options, forFramework }
  const rules: Rules = {
    redaction: compileRedaction(redact, 'redact', problems, parent.redaction),
    serializers: new Map([...parent.serializers, ...Object.entries(serializers ?? {})]),
    limits: resolveLimits(limits, 'limits', problems, parent.limits),
  }
  return { rules, options, forFramework }
}

const schema = {
  level: text(),
  messagePrefix: text(),
  context: object,
  redact: anything,
  serializers: table(callback),
  limits: object,
}
