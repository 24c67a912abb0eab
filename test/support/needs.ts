import { expect, test } from '@jest/globals'

/**
 * `test` where the machine has what a test needs; else its tests are skipped, and the reason is printed and stands in their
 * titles. A run of CI installs everything, so there a missing tool is a failed test.
 */
export function needs(what: string, isThere: boolean): typeof test | typeof test.skip {
  if (isThere) return test
  if (process.env.CI === 'true') {
    test(`a run of CI has ${what}`, () => expect(isThere).toBe(true))
  }
  // Not the console: what a file says of which every test is skipped is not shown.
  process.stderr.write(`skipped: ${what} is missing\n`)
  return skipped(`${what} is missing`)
}

type Title = Parameters<typeof test>[0]
type Rest = Parameters<typeof test> extends [unknown, ...infer R] ? R : never

// Under a name of its own: here no test is skipped yet.
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
