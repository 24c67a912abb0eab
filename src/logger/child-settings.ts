import { anything, checkOptions, object, quotedWord, table, text, callback } from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { resolveLimits } from '../values/limits.ts'
import { withInheritedSerializers } from './inherited-serializers.ts'
import { compileRedaction } from '../redact/redact.ts'
import type { Rules } from '../values/record-rules.ts'
import type { Levels } from './levels.ts'
import { areOfPinoAdapter, withoutOwnOptions } from './pino-adapter.ts'
import type { ChildOptions } from './types.ts'
import { ownCopy } from '../options/own-members.ts'

/** The settings of a child logger. */
export interface ChildSettings {
  /** The parent's rules combined with the child's; the parent's object itself if the options add no rules. */
  readonly rules: Rules
  /** The options at the time of the call. */
  readonly options: ChildOptions
  /** Whether the child was created by an adapter of pino. */
  readonly forPinoAdapter: boolean
}

export function childSettings(
  parent: Rules,
  given: ChildOptions,
  levels: Levels,
  problems: ConfigurationProblem[],
): ChildSettings {
  const all = ownOptions(withInheritedSerializers(given), '', problems, ['serializers', 'limits'])
  const forPinoAdapter = typeof all === 'object' && all !== null && areOfPinoAdapter(all)
  const own = forPinoAdapter ? withoutOwnOptions(all, parent) : all
  checkOptions(own, schema, '', problems)
  const options = ownCopy(typeof own === 'object' && own !== null ? own : {})
  const { level, redact, serializers, limits } = options
  if (level !== undefined && levels.threshold(level) === undefined) {
    const message = `there is no level${quotedWord(level)}; levels are ${levels.names.join(', ')}, silent`
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'level', message })
  }
  if (redact === undefined && serializers === undefined && limits === undefined)
    return { rules: parent, options, forPinoAdapter }
  const rules: Rules = {
    redaction: compileRedaction(redact, 'redact', problems, parent.redaction),
    serializers: new Map([...parent.serializers, ...Object.entries(serializers ?? {})]),
    limits: resolveLimits(limits, 'limits', problems, parent.limits),
  }
  return { rules, options, forPinoAdapter }
}

const schema = {
  level: text(),
  messagePrefix: text(),
  context: object,
  redact: anything,
  serializers: table(callback),
  limits: object,
}
