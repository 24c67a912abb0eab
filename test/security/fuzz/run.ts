import * as fc from 'fast-check'
import { Prototypes } from './prototypes.ts'
import type { Target } from './target.ts'

/** The number of inputs to check, or the time for checking. */
export interface RunParameters {
  readonly seed: number
  readonly numRuns?: number
  readonly millis?: number
  /** Called before an input is checked. */
  begin?(input: unknown): void
}

/** A failure found by a run. */
export interface Failure {
  readonly target: string
  readonly input: unknown
  /** The error with its causes, as text. */
  readonly why: string
  readonly seed: number
}

/** The state of the prototypes before the first check. */
const prototypes = new Prototypes()

/** Checks an input, and that no global has changed. Rejects if a check fails. */
export async function checkInput(target: Target<unknown>, input: unknown): Promise<void> {
  const rejections: unknown[] = []
  const rejected = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', rejected)
  try {
    await target.check(input)
    prototypes.expectUnchanged()
    if (rejections.length > 0) throw new Error('a promise was rejected', { cause: rejections[0] })
  } finally {
    process.removeListener('unhandledRejection', rejected)
  }
}

/** Checks many inputs. Resolves to the first failure, or undefined if all inputs pass. */
export async function run(target: Target<unknown>, parameters: RunParameters): Promise<Failure | undefined> {
  const { seed, numRuns = Number.MAX_SAFE_INTEGER, millis, begin } = parameters
  const property = fc.asyncProperty(target.input, (input) => {
    begin?.(input)
    return checkInput(target, input)
  })
  const time = millis === undefined ? {} : { interruptAfterTimeLimit: millis, markInterruptAsFailure: false }
  const result = await fc.check(property, { seed, numRuns, ...time, verbose: false })
  if (!result.failed || result.counterexample === null) return undefined
  const [input] = result.counterexample
  return { target: target.name, input, why: described(result.errorInstance), seed }
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${described(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
