import type { Handler } from '../handler/handler.ts'
import { severityOf } from '../record/severity.ts'
import type { ContractViolation } from './contract-violation.ts'
import { handlerCases } from './handler-cases.ts'
import { HandlerHarness, type HandlerHarnessOptions } from './handler-harness.ts'
import { ownCopy } from '../options/own-members.ts'

/** How a handler is looked at. */
export interface CheckHandlerOptions {
  /** Which records it hands on: `all`, each exactly once, or `some` of them. Default `some`. */
  readonly passes?: 'all' | 'some'
  /** Levels that it may set beside the standard ones, as `createLogger` takes them. Default: none. */
  readonly levels?: Readonly<Record<string, number>>
  /** How long it is waited for what it does too late, in ms, for each case. Default 20. */
  readonly waitMillis?: number
}

/**
 * Looks whether a handler keeps the contract of `Handler`: it is given records as a logger does, usual ones and hostile ones, by
 * cases that know nothing of what it is for. It needs no test runner; a test expects an empty list.
 *
 * @param make - makes what stands in `createLogger({ handler })`, for each case; what it throws rejects the promise
 *
 * @returns every breach that was found; none does not prove that there is none.
 *
 * @example
 * ```ts
 * assert.deepEqual(await checkHandler(() => withoutPath('/health')), [])
 * ```
 */
export async function checkHandler(
  make: () => (next: Handler) => Handler,
  given: CheckHandlerOptions = {},
): Promise<readonly ContractViolation[]> {
  const { passes = 'some', levels = {}, waitMillis = 20 } = ownCopy(given)
  const options: HandlerHarnessOptions = {
    levels: new Map([...Object.entries(severityOf), ...Object.entries(levels)]),
    passesAll: passes === 'all',
    waitMillis,
  }
  const problems: ContractViolation[] = []
  for (const { rule, run } of handlerCases) {
    const decorate = make()
    const labs = [new HandlerHarness(decorate, options)]
    const [lab] = labs as [HandlerHarness]
    // What is no handler cannot be given records.
    if (!lab.isHandler) return [...lab.faults, 'returned no handler'].slice(0, 1).map(malformed)
    run(lab, () => {
      labs.push(new HandlerHarness(decorate, options))
      return labs.at(-1)!
    })
    for (const one of labs) await one.settle()
    const faults = new Set(labs.flatMap((one) => one.faults))
    problems.push(...Array.from(faults, (message) => ({ rule, message })))
  }
  return problems
}

function malformed(message: string): ContractViolation {
  return { rule: 'is a function that returns an object with a function `handle`', message }
}
