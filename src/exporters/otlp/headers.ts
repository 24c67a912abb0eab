import type { Headers } from '../../platform/node/otlp-header-list.ts'
import { headerProblem } from '../../platform/node/otlp-header-list.ts'
import type { Platform } from '../../lifecycle/platform.ts'
import { headerSecrets } from './mask.ts'
import type { Check } from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'

/** Header fields by name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** Header fields, or a function that is asked for them at each request. */
export type HeaderOption = HeaderRecord | (() => HeaderRecord | PromiseLike<HeaderRecord>)

/** Checks what code says of headers. No message holds a value. */
export const headerOption: Check = (value, where, problems) => {
  if (typeof value === 'function') return
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an object or a function' })
    return
  }
  for (const [name, field] of Object.entries(value)) {
    const problem = field === undefined ? undefined : headerProblem(name, field)
    if (problem !== undefined)
      problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `${quoted(name)} ${problem}` })
  }
}

/** The header fields of each request: those of the environment, and over them those that code says. */
export class HeaderSource {
  private readonly fixed: Headers
  private readonly ask: Exclude<HeaderOption, HeaderRecord> | undefined
  /** What the function said last. */
  private last: Headers | undefined
  private readonly delay: Platform['delay']

  constructor(environment: Headers, option: HeaderOption | undefined, delay: Platform['delay']) {
    this.delay = delay
    this.ask = typeof option === 'function' ? option : undefined
    this.fixed = typeof option === 'object' ? joined(environment, option) : environment
  }

  /** Whether a function says them. */
  get isAsked(): boolean {
    return this.ask !== undefined
  }

  /** Throws a `HeaderError` when the function fails, or has no answer within `timeoutMillis`; 0: it has as long as it takes. */
  async get(timeoutMillis: number): Promise<Headers> {
    if (this.ask === undefined) return this.fixed
    try {
      const said = await this.within(timeoutMillis, this.ask())
      return (this.last = joined(this.fixed, said))
    } catch (error) {
      throw error instanceof HeaderError ? error : new HeaderError('headers() failed')
    }
  }

  /** Without the event loop: what a function says only later is what it said the last time. Throws a `HeaderError`. */
  getSync(): Headers {
    if (this.ask === undefined) return this.fixed
    try {
      const said = this.ask()
      if (!isPromise(said)) return (this.last = joined(this.fixed, said))
      said.then(undefined, () => {})
    } catch {
      // a function of the user's; what it said the last time may still do
    }
    if (this.last === undefined) throw new HeaderError('headers() has no answer at once')
    return this.last
  }

  /**
   * Asks a function that has never answered, so that `getSync` has what it said, and keeps the process alive for the answer,
   * at most `millis`. Never throws.
   */
  prepare(millis: number): void {
    if (this.last !== undefined) return
    const hold = this.delay(millis, () => {})
    hold.keepAlive(true)
    void this.get(millis)
      .catch(() => {})
      .finally(() => hold.cancel())
  }

  /** What stands in them, so that it can be kept out of messages. */
  get secrets(): string[] {
    return headerSecrets(this.last ?? this.fixed)
  }

  private within<T>(millis: number, answer: T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new HeaderError('headers() gave no answer in time'))
      const timer = millis > 0 ? this.delay(millis, late) : undefined
      Promise.resolve(answer)
        .then(resolve, reject)
        .finally(() => timer?.cancel())
    })
  }
}

/** Header fields could not be had. Its message holds none of their values. */
export class HeaderError extends Error {}

function joined(before: Headers, said: HeaderRecord): Headers {
  if (typeof said !== 'object' || said === null) throw new HeaderError('headers() returned no object')
  const all = new Map(before)
  for (const [name, value] of Object.entries(said)) {
    const problem = value === undefined ? undefined : headerProblem(name, value)
    if (problem !== undefined) throw new HeaderError(`headers() returned ${quoted(name)}, which ${problem}`)
    if (value !== undefined) all.set(name.toLowerCase(), value)
  }
  return all
}

function isPromise(said: unknown): said is PromiseLike<unknown> {
  return (
    typeof said === 'object' &&
    said !== null &&
    typeof member(said as Partial<PromiseLike<unknown>>, 'then') === 'function'
  )
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
