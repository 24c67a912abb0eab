import { afterAll, expect } from '@jest/globals'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from '../../../node_modules/fast-check/lib/fast-check.js'
import { runs } from '../runs.ts'
import { seed } from '../seed.ts'

export * from '../../../node_modules/fast-check/lib/fast-check.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** How many inputs each test of this file has checked. */
const inputs = new Map<string, number>()

/** Checks a property, as fast-check does, with a number of inputs that depends on `RUNS`. */
export const assert = ((property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}) =>
  fc.assert(property, {
    ...parameters,
    numRuns: Math.ceil((parameters.numRuns ?? 100) * runs),
  })) as typeof fc.assert

/** Adds to the inputs that the current test has checked. Properties are counted without it. */
export function countInputs(count: number): void {
  const { currentTestName = '' } = expect.getState()
  inputs.set(currentTestName, (inputs.get(currentTestName) ?? 0) + count)
}

// A reporter replaces fast-check's own, so a failure is thrown here, with the message that fast-check would give it.
fc.configureGlobal({
  seed,
  reporter(result: fc.RunDetails<unknown>) {
    countInputs(result.numRuns)
    if (result.failed) throw new Error(fc.defaultReportMessage(result), { cause: result.errorInstance })
  },
})

afterAll(() => {
  const path = relative(root, expect.getState().testPath!)
  const directory = join(root, 'temp/checked-inputs')
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    join(directory, `${path.replaceAll('/', '+').replaceAll('\\', '+')}.json`),
    JSON.stringify({ path, inputs: Object.fromEntries(inputs) }),
  )
})
