import { afterEach, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { Writable } from 'node:stream'
import bole from '../../../src/bole.ts'
import type { RedactOptions } from '../../../src/rules/redact.ts'
import { attributesOf, canary, open, ruleOf, scenarios, type Scenario } from '../../encode/redaction-scenarios.ts'
import { output } from './support.ts'

afterEach(() => void bole.reset())

/** What a scenario writes, with a rule or none. */
function written(scenario: Scenario, redact: RedactOptions | undefined): string {
  const { top, value } = attributesOf(scenario)
  const said = { open, [top]: value }
  const { where } = scenario
  const kept = output({ onProblem: () => {}, ...(redact === undefined ? {} : { redact }) })
  const log = bole('test')
  if (where === 'printf' || where === 'extra') log.info('%j %o %O', said, said, said, said)
  else if (where === 'body') log.info({}, said)
  else if (where === 'child') log.error(new Error('x'), said, 'm')
  else log.info(said, 'm')
  return kept.text
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

test('rules hold for their output alone, and for streams in object mode as well', () => {
  const all = output()
  const covered = output({ redact: ['pin', 'err.message'] })
  const objects: unknown[] = []
  const stream = new Writable({
    objectMode: true,
    write(record, _, done) {
      objects.push(record)
      done()
    },
  })
  bole.output({ level: 'debug', stream: all }).output({ level: 'debug', stream, redact: ['pin', 'err.message'] })
  bole('test').error(new Error(canary), { pin: canary }, 'm')
  expect(all.text.match(new RegExp(canary, 'g'))).toHaveLength(3)
  expect(covered.text).not.toContain(canary)
  expect(objects).toMatchObject([{ pin: '[REDACTED]', message: 'm' }])
  expect(JSON.stringify(objects)).not.toContain(canary)
})
