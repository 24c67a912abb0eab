import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
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
    ...(where === 'root' ? { base: said } : {}),
    ...(where === 'enrich' ? { mixin: () => said } : {}),
  })
  const bound = where === 'child' || where === 'context' ? log.child(said) : log.child({ open })
  if (where === 'printf') bound.info('%j %o %O', said, said, said)
  else if (where === 'body') bound.info({}, said as never)
  else if (where === 'call' || where === 'callFirst' || where === 'lazy') bound.info(said, 'm')
  else if (where === 'callMap') bound.info({ toJSON: 1, ...said }, 'm')
  else bound.info(Object.assign(Object.create(null) as object, said), '%s', 'm')
  return kept.lines.join('')
}

test('nothing that a rule covers is written, wherever it stands, and what stands beside it is', () => {
  let shown = 0
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const rule = ruleOf(scenario)
      const line = written(scenario, rule)
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

describe('where pino leaks', () => {
  test('a message of an Error that is covered stands nowhere else', () => {
    const { log, kept } = logged({ redact: ['err.message'] })
    log.error(new Error(`failed for ${canary}`, { cause: new Error(canary) }))
    log.error({ err: new Error(canary) }, `said ${canary}`)
    expect(kept.lines.join('')).not.toContain(canary)
  })

  test('one object at two places is covered where a rule says', () => {
    const { log, kept } = logged({ redact: ['a.pw', 'b.pw'] })
    const shared = { pw: canary }
    log.info({ a: shared, b: shared, c: shared })
    expect(kept.last).toMatchObject({ a: { pw: '[Redacted]' }, b: { pw: '[Redacted]' }, c: { pw: canary } })
  })

  test('what toJSON returns is covered', () => {
    const { log, kept } = logged({ redact: ['a.pw'] })
    log.info({ a: { toJSON: () => ({ pw: canary }) } })
    expect(kept.last).toMatchObject({ a: { pw: '[Redacted]' } })
  })

  test('a path may cross a URL or bytes', () => {
    const { log, kept } = logged({ redact: ['*.x'] })
    log.info({ a: new URL('https://host/'), b: Buffer.from('b'), c: { x: canary } })
    expect(kept.last).toMatchObject({ a: 'https://host/', b: { type: 'Buffer', data: [98] }, c: { x: '[Redacted]' } })
  })

  test('two stars are any depth, and what can match nothing is refused', () => {
    const { log, kept } = logged({ redact: ['**.pw'] })
    log.info({ a: { b: [{ pw: canary }] } })
    expect(kept.last).toMatchObject({ a: { b: [{ pw: '[Redacted]' }] } })
    expect(() => logged({ redact: ['pass*.x'] })).toThrow(/whole name/)
  })
})

test('patterns hold in messages, names, members, bindings and arguments', () => {
  const { log, kept } = logged({ redact: { patterns: ['email'] } })
  const mail = 'jane.doe@example.com'
  log
    .child({ who: mail })
    .info({ to: [mail], [mail]: 1, err: new Error(`no mail for ${mail}`) }, `to ${mail} %s %j`, mail, { mail })
  expect(kept.lines.join('')).not.toContain('jane.doe')
  expect(() => JSON.parse(kept.lines[0]!) as unknown).not.toThrow()
})
