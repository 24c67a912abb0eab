import type { CreateHandler } from '../handler/handler.ts'
import { standardSeverities } from '../record/severity.ts'
import type { ContractViolation } from './contract-violation.ts'
import { handlerCases } from './handler-cases.ts'
import { HandlerHarness, type HandlerHarnessOptions } from './handler-harness.ts'
import { withoutPrototype } from '../options/own-members.ts'

/** Options of `checkHandler`. */
export interface CheckHandlerOptions {
  /**
   * The records that the handler passes on: `all`, each exactly once, or `some`.
   *
   * @defaultValue `some`
   */
  readonly passes?: 'all' | 'some'
  /**
   * Levels that the handler may set in addition to the standard ones, as in `createLogger`.
   *
   * @defaultValue none
   */
  readonly levels?: Readonly<Record<string, number>>
  /**
   * How long to wait for late actions of each handler, in ms.
   *
   * @defaultValue 20
   */
  readonly waitMillis?: number
}

/**
 * Checks whether a handler conforms to the contract of `Handler`. The handler receives records as from a logger, ordinary and hostile
 * ones, in test cases that do not depend on its purpose. No test runner is needed; in a test, expect an empty list.
 *
 * @param make - creates, for each case, the function that is passed as `createLogger({ handler })`; its errors reject the promise
 * @param options - the options
 *
 * @returns All violations found. An empty list does not prove that there are none.
 *
 * @example
 * ```ts
 * assert.deepEqual(await checkHandler(() => withoutPath('/health')), [])
 * ```
 */
export async function checkHandler(
  make: () => CreateHandler,
  options: CheckHandlerOptions = {},
): Promise<readonly ContractViolation[]> {
  const { passes = 'some', levels = {}, waitMillis = 20 } = withoutPrototype(options)
  const harnessOptions: HandlerHarnessOptions = {
    levels: new Map([...Object.entries(standardSeverities), ...Object.entries(levels)]),
    mustPassAll: passes === 'all',
    waitMillis,
  }
  const violations: ContractViolation[] = []
  for (const { rule, run } of handlerCases) {
    const createHandler = make()
    const harnesses = [new HandlerHarness(createHandler, harnessOptions)]
    const [harness] = harnesses as [HandlerHarness]
    // An invalid handler cannot receive records.
    if (!harness.hasHandler)
      return [...harness.faults, 'did not return a handler'].slice(0, 1).map(invalidHandlerViolation)
    run(harness, () => {
      harnesses.push(new HandlerHarness(createHandler, harnessOptions))
      return harnesses.at(-1)!
    })
    for (const each of harnesses) await each.settle()
    const faults = new Set(harnesses.flatMap((each) => each.faults))
    violations.push(...Array.from(faults, (message) => ({ rule, message })))
  }
  return violations
}

/** Returns the violation of a function that returns no handler. */
function invalidHandlerViolation(message: string): ContractViolation {
  return { rule: 'is a function that returns an object with a function `handle`', message }
}
