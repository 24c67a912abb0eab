import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { canary, canaryIn } from './fuzz/canary.ts'
import { loggingApis } from './logging-apis.ts'
import { href, withUrlHolders } from './url-holders.ts'

/** APIs whose lines are byte-identical to those of another library with `credentialHeaders: false`. */
const identical = /^sluice\/(?:pino|bunyan|bole)(?: with|$)/

describe.each(Object.entries(loggingApis))('redaction of URL passwords without a rule: %s', (name, written) => {
  test('the password is redacted in every object with a URL or a request', async () => {
    const leaked: string[] = []
    const shown: string[] = []
    await withUrlHolders((holders) => {
      for (const [holder, members] of Object.entries(holders)) {
        if (canaryIn(written(members)) !== undefined) leaked.push(holder)
        if (canaryIn(written(members, { credentialHeaders: false })) !== undefined) shown.push(holder)
      }
    })
    expect(leaked).toEqual([])
    expect([name, shown.length > 8]).toEqual([name, identical.test(name)])
  })

  test('strings and all other parts of a URL are not redacted', () => {
    expect(canaryIn(written({ text: href }))).toBeDefined()
    const text = written({ url: new URL(href) })
    expect(text).toContain('https://user:[REDACTED]@example.com/path?a=b#c')
    expect(written({ url: new URL('https://user@example.com/@x:y@') })).toContain('https://user@example.com/@x:y@')
  })

  test('the password is redacted at any depth and next to any values', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(new URL(href), 'a@b', 'https://x/', '//:', '"\\', 1, null, { toJSON: () => new URL(href) }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'url', 'method', 'headers', '"@'), tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(value, (value) => expect(canaryIn(written({ value, url: new URL(href) }))).toBeUndefined()),
      { numRuns: 25 },
    )
  })
})

test('the canary is not changed by URL encoding', () => {
  expect(new URL(href).password).toBe(canary)
})
