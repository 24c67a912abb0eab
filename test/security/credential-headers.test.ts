import { describe, expect, test } from '@jest/globals'
import { canaryIn } from './fuzz/canary.ts'
import { fronts } from './fronts.ts'
import { withHolders } from './header-holders.ts'

describe.each(Object.entries(fronts))('%s redacts credential headers without a rule', (_, written) => {
  test('wherever objects of Node, of frameworks and of clients hold them', async () => {
    let shown = 0
    await withHolders((holders) => {
      for (const [holder, members] of Object.entries(holders)) {
        expect([holder, canaryIn(written(members as object))]).toEqual([holder, undefined])
        if (canaryIn(written(members as object, { credentialHeaders: false })) !== undefined) shown++
      }
    })
    // The option turns it off, so that the test sees what it looks for.
    expect(shown).toBeGreaterThan(8)
  })
})
