import { encoderFor } from '../encode/encoding.ts'
import { jsonLines } from '../encode/json/json-lines.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { copyOptions } from '../options/own-options.ts'
import { emptyBoundState } from '../record/bound.ts'
import { newRecord } from '../record/record.ts'
import { standardSeverities } from '../record/severity.ts'
import { compileRedaction, type Redact } from '../redact/redact.ts'
import { defaultLimits } from '../values/limits.ts'
import { changesOf, type Written } from './redaction-changes.ts'
import { singleRules } from './single-rules.ts'

/** A part of a record that a rule redacts. */
export interface ExplainedRedaction {
  /**
   * The path to the value from the attributes, as in the option `paths`: `user.cards[0].number`, `headers["x-api-key"]`. It is `message` in
   * parentheses, `(message)`, for the message.
   */
  readonly path: string
  /** The rule, as it is written in the options: `paths: **.password`, `keys: token`, `patterns: email`, `credentialHeaders`. */
  readonly rule: string
  /** What is written instead; undefined if the member is omitted. If the rule redacts the name of the member, it is the new name. */
  readonly replacement: unknown
}

/**
 * Returns what redaction rules do to a value, so that a test can check them: each redacted value with the rule that matches it. A value
 * that several rules match is listed once for each of them. Values are serialized and redacted by the same code as in a log call, once
 * for each rule, so getters and functions in `censor` are called several times.
 *
 * @param redact - the option `redact` of a logger; undefined for the rules of a logger without it
 * @param value - attributes, or the text of a message
 * @returns the redacted values, in the order in which they are written; rules in the order `paths`, `keys`, `patterns`,
 * `credentialHeaders`
 * @throws ConfigurationError with every problem of the rules
 *
 * @example
 * ```ts
 * const redacted = explainRedaction({ paths: ['**.password'] }, { user: { password: 'hunter2' } })
 * assert.deepEqual(redacted, [{ path: 'user.password', rule: 'paths: **.password', replacement: '[REDACTED]' }])
 * ```
 */
export function explainRedaction(redact: Redact | undefined, value: object | string): ExplainedRedaction[] {
  const problems: ConfigurationProblem[] = []
  const rules = copyOptions(redact, 'redact', problems)
  const written = writtenValue(rules, value, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'explainRedaction')
  const plain = writtenValue({ credentialHeaders: false }, value)
  const changesByRule = singleRules(rules ?? {}).map(({ name, redact: rule }) => ({
    name,
    paths: new Set(changesOf(plain, writtenValue(rule, value)).map(({ path }) => path)),
  }))
  return changesOf(plain, written).flatMap(({ path, replacement }) => {
    const matching = changesByRule.filter(({ paths }) => paths.has(path))
    return matching.map(({ name }): ExplainedRedaction => ({ path, rule: name, replacement }))
  })
}

/** The default limits, except that a large sample is not cut: the difference would not be that of a rule. */
const limits = { ...defaultLimits, recordBytes: Infinity, attributes: Infinity, items: Infinity }

/** Returns what a log call would write of a value, as JSON values. */
function writtenValue(
  redact: Redact | undefined,
  value: object | string,
  problems: ConfigurationProblem[] = [],
): Written {
  const redaction = compileRedaction(redact, 'redact', problems)
  const encoder = encoderFor(jsonLines(), { redaction, serializers: new Map(), limits })
  const record = newRecord(0, standardSeverities.info, 'info', emptyBoundState)
  if (typeof value === 'string') record.body = value
  else record.attributes = value
  record.keepsBraces = true
  const encoded = encoder.encode(record)
  const { message, attributes } = JSON.parse(typeof encoded === 'string' ? encoded : encoded.text()) as Written
  return { message, attributes }
}
