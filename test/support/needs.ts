import { expect, test } from '@jest/globals'

/**
 * `test` where the machine has what a test needs; else its tests are skipped, and the reason is printed. A run of CI
 * installs everything, so there a missing tool is a failed test.
 */
export function needs(what: string, isThere: boolean): typeof test | typeof test.skip {
  if (isThere) return test
  if (process.env.CI === 'true') {
    test(`a run of CI has ${what}`, () => expect(isThere).toBe(true))
  }
  // Not the console: what a file says of which every test is skipped is not shown.
  process.stderr.write(`skipped: ${what} is missing\n`)
  return test.skip
}
