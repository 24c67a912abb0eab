import type { HttpRequest } from './exchange.ts'
import type { Settings } from './options.ts'
import { Sampler } from './sampling.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'

/** What is done with a request: it has records, it has one only when it ends badly (`sampled`), or none. */
export type Selected = 'recorded' | 'sampled' | 'ignored'

/** Decides about each request when it comes, so that its records stay together. */
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
  const whole = new Set(paths.filter((path) => !path.endsWith('*')))
  const beginnings = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1))
  return (_, path) => whole.has(path) || beginnings.some((beginning) => path.startsWith(beginning))
}
