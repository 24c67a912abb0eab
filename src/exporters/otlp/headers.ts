import type { Headers } from '../../platform/node/otlp-header-list.ts'
import { headerProblem } from '../../platform/node/otlp-header-list.ts'
import type { Platform } from '../../lifecycle/platform.ts'
import { headerSecrets } from './mask.ts'
import { typeName, type Check } from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'

/** HTTP headers by name. */
export type HeaderRecord = Readonly<Record<string, string>>

/** HTTP headers, or a function that returns them and is called for each request. */
export type HeaderOption = HeaderRecord | (() => HeaderRecord | PromiseLike<HeaderRecord>)

/** Checks the option `headers`. No message contains a header value. */
export const headerOption: Check = (value, where, problems) => {
  if (typeof value === 'function') return
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: `must be an object or a function, not ${typeName(value)}`,
    })
    return
  }
  for (const [name, field] of Object.entries(value)) {
    const problem = field === undefined ? undefined : headerProblem(name, field)
    if (problem !== undefined)
      problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `${quoted(name)} ${problem}` })
  }
}

/** The headers of each request: those of the environment, overridden by those of the option. */
export class HeaderSource {
  private readonly fixed: Headers
  private readonly getHeaders: Exclude<HeaderOption, HeaderRecord> | undefined
  /** The headers that the function last returned. */
  private last: Headers | undefined
  private readonly delay: Platform['delay']

  constructor(environment: Headers, option: HeaderOption | undefined, delay: Platform['delay']) {
    this.delay = delay
    this.getHeaders = typeof option === 'function' ? option : undefined
    this.fixed = typeof option === 'object' ? merged(environment, option) : environment
  }

  /** Whether a function provides the headers. */
  get areRequested(): boolean {
    return this.getHeaders !== undefined
  }

  /**
   * Returns the headers.
   *
   * @param timeoutMillis - The time limit of the function, in ms; 0: no limit.
   * @throws HeaderError if the function fails or exceeds the time limit.
   */
  async get(timeoutMillis: number): Promise<Headers> {
    if (this.getHeaders === undefined) return this.fixed
    try {
      const returned = await this.withTimeout(timeoutMillis, this.getHeaders())
      return (this.last = merged(this.fixed, returned))
    } catch (error) {
      throw error instanceof HeaderError ? error : new HeaderError('headers() threw or rejected')
    }
  }

  /**
   * Returns the headers synchronously. If the function returns a promise, its previous result is used.
   *
   * @throws HeaderError if the function fails or has no previous result.
   */
  getSync(): Headers {
    if (this.getHeaders === undefined) return this.fixed
    try {
      const returned = this.getHeaders()
      if (!isPromise(returned)) return (this.last = merged(this.fixed, returned))
      returned.then(undefined, () => {})
    } catch {
      // The user's function failed; use its previous result, if there is one.
    }
    if (this.last === undefined)
      throw new HeaderError('headers() returned a promise, and no earlier result is available')
    return this.last
  }

  /**
   * Calls the function if it has never returned headers, so that `getSync` has a previous result, and keeps the process alive
   * until it settles, for at most `millis`. Never throws.
   */
  prepare(millis: number): void {
    if (this.last !== undefined) return
    const holdTimer = this.delay(millis, () => {})
    holdTimer.keepAlive(true)
    void this.get(millis)
      .catch(() => {})
      .finally(() => holdTimer.cancel())
  }

  /** The secret values in the headers, which must not appear in messages. */
  get secrets(): string[] {
    return headerSecrets(this.last ?? this.fixed)
  }

  private withTimeout<T>(millis: number, answer: T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onTimeout = () => reject(new HeaderError('headers() timed out'))
      const timer = millis > 0 ? this.delay(millis, onTimeout) : undefined
      Promise.resolve(answer)
        .then(resolve, reject)
        .finally(() => timer?.cancel())
    })
  }
}

/** An error in getting the headers. Its message contains no header value. */
export class HeaderError extends Error {}

function merged(before: Headers, returned: HeaderRecord): Headers {
  if (typeof returned !== 'object' || returned === null) throw new HeaderError('headers() did not return an object')
  const all = new Map(before)
  for (const [name, value] of Object.entries(returned)) {
    const problem = value === undefined ? undefined : headerProblem(name, value)
    if (problem !== undefined) throw new HeaderError(`headers() returned ${quoted(name)}, which ${problem}`)
    if (value !== undefined) all.set(name.toLowerCase(), value)
  }
  return all
}

function isPromise(returned: unknown): returned is PromiseLike<unknown> {
  return (
    typeof returned === 'object' &&
    returned !== null &&
    typeof member(returned as Partial<PromiseLike<unknown>>, 'then') === 'function'
  )
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
