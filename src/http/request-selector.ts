import type { HttpRequest } from './exchange.ts'
import type { Settings } from './settings.ts'
import { compileRequestTest, type RequestTest } from './request-test.ts'
import type { OptionErrors } from './option-errors.ts'

/**
 * How a request is logged: always (`recorded`), only when it completes at `warn` and above or is slow (`sampledOut`), or never
 * (`ignored`).
 */
export type LoggingDecision = 'recorded' | 'sampledOut' | 'ignored'

/** Decides how a request is logged. This is done when it arrives, because the record of its start is written then. */
export class RequestSelector {
  readonly #isIgnored: RequestTest
  readonly #sample: Settings['sample']
  readonly #sampler = new Sampler()

  constructor({ ignore, sample }: Settings) {
    this.#isIgnored = compileRequestTest('ignore', ignore)
    this.#sample = sample
  }

  select(request: HttpRequest, path: string, optionErrors: OptionErrors): LoggingDecision {
    if (this.#isIgnored(request, path, optionErrors)) return 'ignored'
    if (this.#sample === undefined) return 'recorded'
    return this.#sampler.keepsNext(this.#fractionOf(request, optionErrors)) ? 'recorded' : 'sampledOut'
  }

  #fractionOf(request: HttpRequest, optionErrors: OptionErrors): number {
    const sample = this.#sample
    if (typeof sample !== 'function') return sample ?? 1
    const fraction = optionErrors.callOption('sample', () => sample(request)) ?? 1
    if (typeof fraction === 'number' && fraction >= 0 && fraction <= 1) return fraction
    optionErrors.add('sample', 'not a number from 0 to 1')
    return 1
  }
}

/** Samples a fraction of the calls evenly and deterministically: with 0.25, every fourth. */
class Sampler {
  /** The sum of the fractions of all calls, minus the number of kept ones. */
  #credit = 0

  /** Returns whether the next call is kept. `fraction` is from 0 to 1. */
  keepsNext(fraction: number): boolean {
    this.#credit += fraction
    // The sum of fractions such as 0.1 can be slightly less than 1 because of rounding.
    if (this.#credit < 1 - 1e-9) return false
    this.#credit -= 1
    return true
  }
}
