import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createLogger } from '../../../src/bunyan.ts'
import type { RedactOptions } from '../../../src/rules/redact.ts'
import { attributesOf, canary, open, ruleOf, scenarios, type Scenario } from '../../encode/redaction-scenarios.ts'
import { logged } from './support.ts'

/** What a scenario writes, with a rule or none. */
function written(scenario: Scenario, redact: RedactOptions | undefined): string {
  const { top, value } = attributesOf(scenario)
  const said = { open, [top]: value }
  const { where } = scenario
  const { log, kept } = logged({
    onProblem: () => {},
    ...(redact === undefined ? {} : { redact }),
    ...(where === 'root' ? said : {}),
  })
  const bound = where === 'child' || where === 'context' ? log.child(said, where === 'context') : log.child({ open })
  if (where === 'printf' || where === 'extra') bound.info('%j %o %O', said, said, said, said)
  else if (where === 'body') bound.info({}, said as never)
  else if (where === 'callMap') bound.info(Object.assign(Object.create(null) as object, said), 'm')
  else bound.info(said, 'm')
  return kept.lines.join('')
}

test('nothing that a rule covers is written, wherever it stands, and what stands beside it is', () => {
  let shown = 0
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const line = written(scenario, ruleOf(scenario))
      expect(line).not.toContain(canary)
      expect(line).toContain(open)
      expect(() => JSON.parse(line) as unknown).not.toThrow()
      if (written(scenario, undefined).includes(canary)) shown++
    }),
    { numRuns: 1_500 },
  )
  // Without the rules it is there to be seen.
  expect(shown).toBeGreaterThan(300)
})

describe('an Error whose message is covered', () => {
  test('says it nowhere: not in its stack, and not as the message of the record', () => {
    const { log, kept } = logged({
      redact: ['err.message'],
      serializers: { err: ({ message, stack }: Error) => ({ message, stack }) },
    })
    log.error(new Error(`failed for ${canary}`))
    log.error(new Error(canary), `said ${canary}`)
    log.error({ err: new Error(canary) })
    expect(kept.lines).toHaveLength(3)
    expect(kept.lines.join('')).not.toContain(canary)
  })
})

test('records of raw streams are redacted, too, and keep a Date', () => {
  const records: { time: unknown; user: unknown }[] = []
  const stream = { write: (record: (typeof records)[number]) => records.push(record) }
  const log = createLogger({ name: 'n', redact: ['user.pin'], streams: [{ type: 'raw', stream }] })
  log.info({ user: { pin: canary, id: 1 } }, 'm')
  expect(records).toMatchObject([{ time: expect.any(Date), user: { pin: '[REDACTED]', id: 1 }, msg: 'm' }])
})

test('patterns hold in messages, names, members, fields that are bound, and arguments', () => {
  const { log, kept } = logged({ redact: { patterns: ['email'] } })
  const mail = 'jane.doe@example.com'
  log
    .child({ who: mail })
    .info({ to: [mail], [mail]: 1, err: new Error(`no mail for ${mail}`) }, `to ${mail} %s %j`, mail, { mail })
  log.error(new Error(`no mail for ${mail}`), '%s', new Error(mail))
  expect(kept.lines.join('')).not.toContain('jane.doe')
  expect(kept.lines).toHaveLength(2)
})
