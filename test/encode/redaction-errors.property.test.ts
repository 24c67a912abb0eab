import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Logger } from '../../src/logger/types.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { createTestLogger } from '../support/files/test-logger.ts'

const canary = 'CANARY4711'

describe('redaction of errors', () => {
  const texts = fc.constantFrom(
    canary,
    `${canary}: no`,
    `"${canary}"\nsecond line`,
    `a\n    at ${canary} (x.js:1:1)`,
    `${canary}\u0000\ud800`,
  )
  const whole = ['err', '**.err', '*']
  const cases: Readonly<Record<string, { readonly rules: readonly string[]; readonly make: (text: string) => Error }>> =
    {
      message: {
        rules: ['err.message', '*.message', '**.message', 'err.*', ...whole],
        make: (text) => new TypeError(text),
      },
      late: { rules: ['err.message'], make: (text) => Object.assign(new Error('first'), { message: text }) },
      own: {
        rules: ['err.token', 'err.deep.token', '**.token', ...whole],
        make: (text) => Object.assign(new Error('m'), { token: text, deep: { token: text } }),
      },
      cause: {
        rules: ['err.cause.message', 'err.cause', '**.message', ...whole],
        make: (text) => new Error('outer', { cause: new Error(text) }),
      },
      errors: {
        rules: ['err.errors[*].message', 'err.errors', '**.message', ...whole],
        make: (text) => new AggregateError([new Error(text)], 'outer'),
      },
    }
  const ways: Readonly<Record<string, (log: Logger, error: Error) => void>> = {
    first: (log, error) => log.error(error),
    second: (log, error) => log.error('failed', error),
    copied: (log, error) => log.error(`failed: ${error.message}`, error),
    copiedUnder: (log, error) => log.error(error.message, { err: error }),
    under: (log, error) => log.error('failed {err} {err:json}', { err: error }),
    underError: (log, error) => log.error({ error }),
    text: (log, error) => log.error('failed %s', error),
    json: (log, error) => log.error('failed %j %o', error, error),
    child: (log, error) => log.child({ err: error }).error('failed {err}'),
    context: (log, error) => withContext({ err: error }, () => log.error('failed {err:json}')),
  }

  test('rules for err redact the exception in every way to log it', () => {
    const some = fc
      .constantFrom(...Object.keys(cases))
      .chain((name) => fc.record({ name: fc.constant(name), rule: fc.constantFrom(...cases[name]!.rules) }))
    fc.assert(
      fc.property(
        some,
        fc.constantFrom(...Object.keys(ways)),
        texts,
        fc.constantFrom('root', 'child', 'bound'),
        ({ name, rule }, way, text, ruled) => {
          const { make, rules } = cases[name]!
          // A rule for one of the two tokens does not redact the other one.
          const paths = name === 'own' && rule.startsWith('err.') ? rules.slice(0, 2) : [rule]
          const output = (redact: readonly string[]): string => {
            const bench = createTestLogger(ruled === 'root' ? { redact } : {})
            const error = make(text)
            // The error is bound by a parent without rules, and its child has the rules.
            if (ruled === 'bound') bench.log.child({ err: error }).child({}, { redact }).error('failed {err}')
            else ways[way]!(ruled === 'child' ? bench.log.child({}, { redact }) : bench.log, error)
            return bench.exporter.text()
          }
          expect(output(paths)).not.toContain(canary)
          expect(output(paths)).toContain('"level":"error"')
          expect(output([])).toContain(canary)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('redacts a wrapper message that contains a redacted message', () => {
    const bench = createTestLogger({ redact: ['err.cause.message'] })
    bench.log.error(new Error(`outer of ${canary}`, { cause: new Error(canary) }))
    expect(bench.exporter.text()).not.toContain(canary)
    expect(bench.exporter.text()).toContain('"exception.message":"outer of [REDACTED]"')
  })

  test('a censor function receives the path from the attributes', () => {
    const paths = new Set<string>()
    const { log } = createTestLogger({
      redact: {
        paths: ['err.message', 'err.token', 'a.b', 'a.deep.message', 'list[*].x', 'map.k'],
        censor: (_, path) => (paths.add(path.join('.')), 'X'),
      },
    })
    const error = Object.assign(new Error('m'), { token: 1 })
    log.error(
      'm',
      { user: { a: 1 }, a: { b: 1, deep: new Error('x') }, list: [{ x: 1 }], map: new Map([['k', 1]]) },
      error,
    )
    expect([...paths].toSorted()).toEqual(['a.b', 'a.deep.message', 'err.message', 'err.token', 'list.0.x', 'map.k'])
  })
})
