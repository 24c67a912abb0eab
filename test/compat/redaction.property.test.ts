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

/** What a front writes when a scenario is said where it says, and in other calls. */
interface Front {
  written(scenario: Scenario, rules: Rules): string
  /** Errors that say the canary, and are said with it. */
  errors(rules: Rules): string
  /** Mail addresses, wherever a call can say them. */
  mails(rules: Rules): string
}

const fronts: Readonly<Record<string, Front>> = {
  pino: {
    written(scenario, rules) {
      const { where } = scenario
      const said = saidBy(scenario)
      const { log, kept } = pino({
        ...quiet,
        ...rules,
        ...(where === 'root' ? { base: said } : {}),
        ...(where === 'enrich' ? { mixin: () => said } : {}),
      })
      const bound = where === 'child' || where === 'context' ? log.child(said) : log.child({ open })
      if (where === 'printf') bound.info('%j %o %O', said, said, said)
      else if (where === 'body') bound.info({}, said as never)
      else if (where === 'call' || where === 'callFirst' || where === 'lazy') bound.info(said, 'm')
      else if (where === 'callMap') bound.info({ toJSON: 1, ...said }, 'm')
      else bound.info(bare(said), '%s', 'm')
      return kept.lines.join('')
    },
    errors(rules) {
      const { log, kept } = pino(rules)
      log.error(new Error(`failed for ${canary}`, { cause: new Error(canary) }))
      log.error(new Error(canary), `said ${canary}`)
      log.error({ err: new Error(canary) }, `said ${canary}`)
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
      const said = saidBy(scenario)
      const { log, kept } = bunyan({ ...quiet, ...rules, ...(where === 'root' ? said : {}) })
      const bound =
        where === 'child' || where === 'context' ? log.child(said, where === 'context') : log.child({ open })
      if (where === 'printf' || where === 'extra') bound.info('%j %o %O', said, said, said, said)
      else if (where === 'body') bound.info({}, said as never)
      else if (where === 'callMap') bound.info(bare(said), 'm')
      else bound.info(said, 'm')
      return kept.lines.join('')
    },
    errors(rules) {
      const serializers = { err: ({ message, stack }: Error) => ({ message, stack }) }
      const { log, kept } = bunyan({ ...rules, serializers })
      log.error(new Error(`failed for ${canary}`))
      log.error(new Error(canary), `said ${canary}`)
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
      const said = saidBy(scenario)
      const kept = output({ ...quiet, ...rules })
      const log = bole('test')
      if (where === 'printf' || where === 'extra') log.info('%j %o %O', said, said, said, said)
      else if (where === 'body') log.info({}, said)
      else if (where === 'child') log.error(new Error('x'), said, 'm')
      else log.info(said, 'm')
      return kept.text
    },
    errors(rules) {
      const kept = output(rules)
      bole('test').error(new Error(`failed for ${canary}`))
      bole('test').error(new Error(canary), `said ${canary}`)
      bole('test').error(new Error(canary), { a: 1 }, `said ${canary}`)
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

function saidBy(scenario: Scenario): Record<string, unknown> {
  const { top, value } = attributesOf(scenario)
  return { open, [top]: value }
}

function bare(said: object): object {
  return Object.assign(Object.create(null) as object, said)
}

describe.each(Object.entries(fronts))('sluice/%s', (_, { written, errors, mails }) => {
  test('writes nothing that a rule covers, wherever it stands, and what stands beside it', () => {
    let shown = 0
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const line = written(scenario, { redact: ruleOf(scenario) })
        expect(line).not.toContain(canary)
        expect(line).toContain(open)
        expect(() => JSON.parse(line) as unknown).not.toThrow()
        if (written(scenario, {}).includes(canary)) shown++
      }),
      { numRuns: 1_500 },
    )
    // Without the rules it is there to be seen.
    expect(shown).toBeGreaterThan(300)
  })

  test('says the covered message of an Error nowhere: not in its stack, and not as the message of the record', () => {
    const plain = errors({}).trimEnd().split('\n')
    for (const line of plain) expect(line).toContain(canary)
    const covered = errors({ redact: ['err.message'] })
    expect(covered).not.toContain(canary)
    expect(covered.trimEnd().split('\n')).toHaveLength(plain.length)
  })

  test('holds patterns in messages, names, members, arguments and what is bound', () => {
    const lines = mails({ redact: { patterns: ['email'] } }).split('\n')
    expect(lines.slice(0, -1).map((line) => typeof JSON.parse(line))).toEqual(['object', 'object'])
    expect(lines.join('')).not.toContain('jane.doe')
  })
})
