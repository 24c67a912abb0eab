import { describe, expect, test } from '@jest/globals'
import { canaryIn } from './fuzz/canary.ts'
import { fronts } from './fronts.ts'
import { withHolders } from './header-holders.ts'

describe.each(Object.entries(fronts))('%s redacts credential headers without a rule', (_, written) => {
  test('wherever objects of Node, of frameworks and of clients hold them', async () => {
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

test('each of these objects shows a credential where the rule is off', async () => {
  await withHolders((holders) => {
    const hidden = Object.entries(holders).filter(([, members]) =>
      Object.values(fronts).every((written) => {
        const text = written(members as object, { credentialHeaders: false })
        return canaryIn(text) === undefined
      }),
    )
    expect(hidden.map(([holder]) => holder)).toEqual([])
  })
})
