import { describe, expect, test } from '@jest/globals'
import { countInputs } from '../support/jest/counting-fast-check.ts'
import { seed } from '../support/seed.ts'
import { corpus } from './fuzz/corpus.ts'
import { checkInput, run, type Failure } from './fuzz/run.ts'
import { targetOf } from './fuzz/targets.ts'

// Fault rows: 29, 30, 31, 32, 33, 34, 35, 36, 45, 46
describe('regression inputs', () => {
  test.each(corpus())('the input %s, which once revealed a defect, passes', async (_, { target, input }) => {
    await expect(checkInput(targetOf(target), input)).resolves.toBeUndefined()
  })
})

/** Counts an input for SECURITY.md. */
function begin(): void {
  countInputs(1)
}

describe('random inputs', () => {
  // Each row: the target, what holds for it, the number of inputs for each seed, and the seeds that once found a defect.
  test.each([
    // Fault rows: 29, 30, 31, 32, 34
    ['log-calls', 'any log call writes one well-formed, redacted line without forged fields', 30, [1, 2]],
    [
      'handlers',
      'any handler leaves lines well-formed and redacted, and each record is counted as often as it is passed on',
      60,
      [1, 2],
    ],
    // Fault rows: 29, 30, 31, 32, 34
    ['otel-entries', 'any call of the OpenTelemetry API or SDK writes well-formed, redacted lines', 90, [1, 4]],
    [
      'pending-resources',
      'each record has the resource attributes that are known when it is written, in any order of settling',
      150,
      [1],
    ],
    // Fault rows: 31, 36
    ['options', 'any options work or throw a ConfigurationError without a secret', 180, [3, 13]],
    // Fault rows: 36
    ['environment', 'any environment variable is applied, or reported in one line without its value', 100, [1]],
    // Fault rows: 36
    ['answers', 'any server response leaves all records counted and no secret reported', 150, [1]],
    ['queries', 'any text is parsed as a query, or rejected with a message that is safe in a terminal', 500, [1]],
    // Fault rows: 30
    ['trace-contexts', 'any context gives valid trace ids or none', 60, [1]],
    // Fault rows: 34
    ['stacks', 'any stack is written without a redacted message', 150, [1, 2]],
    // Fault rows: 45, 46
    [
      'races',
      'no order of events loses an uncounted record, and a failed exporter does not affect the others',
      90,
      [3, 4],
    ],
    // Fault rows: 9, 18
    ['spools', 'any spool directory leaves outside files untouched, and damaged records are not delivered', 60, [1, 2]],
    [
      'user-code',
      'any promise, error or value of user code leaves all records counted and no unhandled rejection',
      60,
      [1],
    ],
    // Fault rows: 35
    ['patterns', 'any accepted pattern needs bounded time on any text', 400, [1]],
    // Fault rows: 31
    ['pollution', 'any pollution of Object.prototype leaves the behavior of each entry unchanged', 12, [1]],
  ] as const)('%s: %s', async (name, _, numRuns, seeds) => {
    const failures: (Failure | undefined)[] = []
    for (const used of [...seeds, seed]) failures.push(await run(targetOf(name), { seed: used, numRuns, begin }))
    // A failure has its seed, input and error. `npm run fuzz` with the seed saves the input.
    expect(failures.filter((failure) => failure !== undefined)).toEqual([])
  })
})
