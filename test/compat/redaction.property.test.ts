import { afterEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import bole from '../../src/entries/bole.ts'
import type { Redact } from '../../src/redact/redact.ts'
import { attributesOf, canary, open, ruleOf, scenarios, type Scenario } from '../encode/redaction-scenarios.ts'
import { output } from './bole/support.ts'
import { logged as bunyan } from './bunyan/support.ts'
import { logged as pino } from './pino/support.ts'

afterEach(() => void bole.reset())

type Rules = { readonly redact?: Redact }
const quiet = { onDiagnostic: () => {} }
const mail = 'jane.doe@example.com'
const noMail = { to: [mail], [mail]: 1, err: new Error(`no mail for ${mail}`) }

/** Log calls of one API. Each function returns the lines that the calls write. */
interface Api {
  /** Logs the attributes of a scenario at the place that it names. */
  written(scenario: Scenario, rules: Rules): string
  /** Logs Errors whose messages contain the canary, also with messages that contain it. */
  errors(rules: Rules): string
  /** Logs email addresses in every part of a call. */
  mails(rules: Rules): string
}

const apis: Readonly<Record<string, Api>> = {
  pino: {
    written(scenario, rules) {
      const { where } = scenario
      const fields = fieldsOf(scenario)
      const { log, kept } = pino({
        ...quiet,
        ...rules,
        ...(where === 'root' ? { base: fields } : {}),
        ...(where === 'enrich' ? { mixin: () => fields } : {}),
      })
      const bound = where === 'child' || where === 'context' ? log.child(fields) : log.child({ open })
      if (where === 'printf') bound.info('%j %o %O', fields, fields, fields)
      else if (where === 'body') bound.info({}, fields as never)
      else if (where === 'call' || where === 'callFirst' || where === 'lazy') bound.info(fields, 'm')
      else if (where === 'callMap') bound.info({ toJSON: 1, ...fields }, 'm')
      else bound.info(bare(fields), '%s', 'm')
      return kept.lines.join('')
    },
    errors(rules) {
      const { log, kept } = pino(rules)
      log.error(new Error(`failed for ${canary}`, { cause: new Error(canary) }))
      log.error(new Error(canary), `login of ${canary}`)
      log.error({ err: new Error(canary) }, `login of ${canary}`)
      log.child({ err: new Error(canary) }).info('m')
      log.setBindings({ err: new Error(canary) })
      log.info('m')
      const based = pino({ ...rules, base: { err: new Error(canary) } })
      based.log.info('m')
      const other = pino({ ...rules, errorKey: 'error' })
      other.log.error({ err: new Error(canary) }, 'm')
      return [...kept.lines, ...based.kept.lines, ...other.kept.lines].join('')
    },
    mails(rules) {
      const { log, kept } = pino(rules)
      log.child({ who: mail }).info(noMail, `to ${mail} %s %j`, mail, { mail })
      log.error(new Error(`no mail for ${mail}`), '%s', new Error(mail))
      return kept.lines.join('')
    },
  },
  bunyan: {
    written(scenario, rules) {
      const { where } = scenario
      const fields = fieldsOf(scenario)
      const { log, kept } = bunyan({ ...quiet, ...rules, ...(where === 'root' ? fields : {}) })
      const bound =
        where === 'child' || where === 'context' ? log.child(fields, where === 'context') : log.child({ open })
      if (where === 'printf' || where === 'extra') bound.info('%j %o %O', fields, fields, fields, fields)
      else if (where === 'body') bound.info({}, fields as never)
      else if (where === 'callMap') bound.info(bare(fields), 'm')
      else bound.info(fields, 'm')
      return kept.lines.join('')
    },
    errors(rules) {
      const serializers = { err: ({ message, stack }: Error) => ({ message, stack }) }
      const { log, kept } = bunyan({ ...rules, serializers })
      log.error(new Error(`failed for ${canary}`))
      log.error(new Error(canary), `login of ${canary}`)
      log.error({ err: new Error(canary) })
      log.child({ err: new Error(canary) }).info('m')
      const rooted = bunyan({ ...rules, serializers, err: new Error(canary) })
      rooted.log.info('m')
      return [...kept.lines, ...rooted.kept.lines].join('')
    },
    mails(rules) {
      const { log, kept } = bunyan(rules)
      log.child({ who: mail }).info(noMail, `to ${mail} %s %j`, mail, { mail })
      log.error(new Error(`no mail for ${mail}`), '%s', new Error(mail))
      return kept.lines.join('')
    },
  },
  bole: {
    written(scenario, rules) {
      const { where } = scenario
      const fields = fieldsOf(scenario)
      const kept = output({ ...quiet, ...rules })
      const log = bole('test')
      if (where === 'printf' || where === 'extra') log.info('%j %o %O', fields, fields, fields, fields)
      else if (where === 'body') log.info({}, fields)
      else if (where === 'child') log.error(new Error('x'), fields, 'm')
      else log.info(fields, 'm')
      return kept.text
    },
    errors(rules) {
      const kept = output(rules)
      bole('test').error(new Error(`failed for ${canary}`))
      bole('test').error(new Error(canary), `login of ${canary}`)
      bole('test').error(new Error(canary), { a: 1 }, `login of ${canary}`)
      return kept.text
    },
    mails(rules) {
      const kept = output(rules)
      bole('test').info(noMail, `to ${mail} %s %j`, mail, { mail })
      bole('test').error(new Error(`no mail for ${mail}`), '%s', new Error(mail))
      return kept.text
    },
  },
}

function fieldsOf(scenario: Scenario): Record<string, unknown> {
  const { top, value } = attributesOf(scenario)
  return { open, [top]: value }
}

function bare(fields: object): object {
  return Object.assign(Object.create(null) as object, fields)
}

describe.each(Object.entries(apis))('redaction in sluice/%s', (api, { written, errors, mails }) => {
  test(`sluice/${api} redacts the values that a rule matches, and writes the other values`, () => {
    let shown = 0
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const line = written(scenario, { redact: ruleOf(scenario) })
        expect(line).not.toContain(canary)
        expect(line).toContain(open)
        expect(() => JSON.parse(line) as unknown).not.toThrow()
        if (written(scenario, {}).includes(canary)) shown++
      }),
      { numRuns: 500 },
    )
    // Without the rules many lines contain the canary.
    expect(shown).toBeGreaterThan(100)
  })

  test(`sluice/${api} redacts the message of an Error also in its stack and in the message of the record`, () => {
    const plain = errors({}).trimEnd().split('\n')
    for (const line of plain) expect(line).toContain(canary)
    const redacted = errors({ redact: ['err.message'] })
    expect(redacted).not.toContain(canary)
    expect(redacted.trimEnd().split('\n')).toHaveLength(plain.length)
  })

  test(`sluice/${api} applies patterns to messages, keys, members, arguments and bindings`, () => {
    const lines = mails({ redact: { patterns: ['email'] } }).split('\n')
    expect(lines.slice(0, -1).map((line) => typeof JSON.parse(line))).toEqual(['object', 'object'])
    expect(lines.join('')).not.toContain('jane.doe')
  })
})
