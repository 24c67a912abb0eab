import type { HttpRequest } from './exchange.ts'
import type { Settings } from './options.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'

/** How a request is logged: always (`recorded`), only at `warn` and above (`sampled`), or never (`ignored`). */
export type Selected = 'recorded' | 'sampled' | 'ignored'

/** Selects requests when they arrive, so that all records of a request are kept or omitted together. */
export class Selection {
  readonly #ignore: ((request: HttpRequest, path: string) => boolean) | undefined
  readonly #sample: Settings['sample']
  readonly #sampler = new Sampler()

  constructor({ ignore, sample }: Settings) {
    this.#ignore = typeof ignore === 'object' ? pathTest(ignore) : ignore
    this.#sample = sample
  }

  of(request: HttpRequest, path: string, diagnostics: RequestLogDiagnostics): Selected {
    const ignore = this.#ignore
    if (ignore !== undefined && diagnostics.callOption('ignore', () => ignore(request, path)) === true) return 'ignored'
    if (this.#sample === undefined) return 'recorded'
    return this.#sampler.keeps(this.#shareOf(request, diagnostics)) ? 'recorded' : 'sampled'
  }

  #shareOf(request: HttpRequest, diagnostics: RequestLogDiagnostics): number {
    const sample = this.#sample
    if (typeof sample !== 'function') return sample ?? 1
    const share = diagnostics.callOption('sample', () => sample(request)) ?? 1
    if (typeof share === 'number' && share >= 0 && share <= 1) return share
    diagnostics.report('sample', 'not a number from 0 to 1')
    return 1
  }
}

function pathTest(paths: readonly string[]): (request: HttpRequest, path: string) => boolean {
  const exact = new Set(paths.filter((path) => !path.endsWith('*')))
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1))
  return (_, path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}

/** Samples a fraction of the calls evenly and deterministically: with 0.25, every fourth. */
class Sampler {
  #credit = 0

  /** Returns whether to keep this one. `share` is from 0 to 1. */
  keeps(share: number): boolean {
    this.#credit += share
    // The sum of fractions such as 0.1 can be slightly less than 1 because of rounding.
    if (this.#credit < 1 - 1e-9) return false
    this.#credit -= 1
    return true
  }
}
