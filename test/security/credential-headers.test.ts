import { describe, expect, test } from '@jest/globals'
import { canaryIn } from './fuzz/canary.ts'
import { loggingApis } from './logging-apis.ts'
import { withHolders } from './header-holders.ts'

describe.each(Object.entries(loggingApis))('redaction of credential headers without a rule: %s', (_, written) => {
  test('credential headers are redacted in all objects of Node, frameworks and clients', async () => {
    const leaks: [holder: string, text: string][] = []
    await withHolders((holders) => {
      for (const [holder, members] of Object.entries(holders)) {
        const text = canaryIn(written(members as object))
        if (text !== undefined) leaks.push([holder, text])
      }
    })
    expect(leaks).toEqual([])
  })
})

test('every object exposes a credential with `credentialHeaders: false`', async () => {
  await withHolders((holders) => {
    const hidden = Object.entries(holders).filter(([, members]) =>
      Object.values(loggingApis).every((written) => {
        const text = written(members as object, { credentialHeaders: false })
        return canaryIn(text) === undefined
      }),
    )
    expect(hidden.map(([holder]) => holder)).toEqual([])
  })
})
