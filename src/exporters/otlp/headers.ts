import type { HeaderMap } from '../../platform/node/otlp-header-list.ts'
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
export const headersCheck: Check = (value, where, problems) => {
  if (typeof value === 'function') return
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: `must be an object or a function, not ${typeName(value)}`,
    })
    return
  }
  for (const [name, headerValue] of Object.entries(value)) {
    const problem = headerValue === undefined ? undefined : headerProblem(name, headerValue)
    if (problem !== undefined)
      problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `${quoted(name)} ${problem}` })
  }
}

/** The headers of each request: base headers, such as those of the environment, overridden by those of the option. */
export class HeaderSource {
  /** The headers that do not change: the base headers, and those of the option if it is an object. */
  private readonly fixedHeaders: HeaderMap
  /** The function of the option that returns headers. */
  private readonly headersFunction: Exclude<HeaderOption, HeaderRecord> | undefined
  /** The result of the last successful call of `headersFunction`, merged with `fixedHeaders`. */
  private lastReturned: HeaderMap | undefined
  private readonly delay: Platform['delay']

  constructor(baseHeaders: HeaderMap, option: HeaderOption | undefined, delay: Platform['delay']) {
    this.delay = delay
    this.headersFunction = typeof option === 'function' ? option : undefined
    this.fixedHeaders = typeof option === 'object' ? mergeHeaders(baseHeaders, option) : baseHeaders
  }

  /** Whether the option is a function. */
  get hasFunction(): boolean {
    return this.headersFunction !== undefined
  }

  /**
   * Returns the headers.
   *
   * @param timeoutMillis - The time limit of the function, in ms; 0: no limit.
   * @throws HeaderError if the function fails, exceeds the time limit or returns invalid headers.
   */
  async get(timeoutMillis: number): Promise<HeaderMap> {
    if (this.headersFunction === undefined) return this.fixedHeaders
    try {
      const returned = await this.withTimeout(timeoutMillis, this.headersFunction())
      return (this.lastReturned = mergeHeaders(this.fixedHeaders, returned))
    } catch (error) {
      throw error instanceof HeaderError ? error : new HeaderError('headers() threw or rejected')
    }
  }

  /**
   * Returns the headers synchronously. If the function returns a promise or invalid headers, or throws, its previous result is used.
   *
   * @throws HeaderError if there is no previous result.
   */
  getSync(): HeaderMap {
    if (this.headersFunction === undefined) return this.fixedHeaders
    let failure = 'headers() returned a promise'
    try {
      const returned = this.headersFunction()
      if (!isPromise(returned)) return (this.lastReturned = mergeHeaders(this.fixedHeaders, returned))
      returned.then(undefined, () => {})
    } catch (error) {
      failure = error instanceof HeaderError ? error.message : 'headers() threw'
    }
    if (this.lastReturned === undefined) throw new HeaderError(`${failure}, and no earlier result is available`)
    return this.lastReturned
  }

  /**
   * Calls the function if it has never returned headers, so that `getSync` has a previous result. Keeps the process alive until the
   * result is available, for at most `millis`. Never throws.
   */
  prepare(millis: number): void {
    if (this.lastReturned !== undefined) return
    const keepAliveTimer = this.delay(millis, () => {})
    keepAliveTimer.keepAlive(true)
    void this.get(millis)
      .catch(() => {})
      .finally(() => keepAliveTimer.cancel())
  }

  /** The secret values in the headers, which must not appear in messages. */
  get secrets(): string[] {
    return headerSecrets(this.lastReturned ?? this.fixedHeaders)
  }

  private withTimeout<T>(millis: number, returned: T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onTimeout = () => reject(new HeaderError('headers() timed out'))
      const timer = millis > 0 ? this.delay(millis, onTimeout) : undefined
      Promise.resolve(returned)
        .then(resolve, reject)
        .finally(() => timer?.cancel())
    })
  }
}

/** An error in getting the headers. Its message contains no header value. */
export class HeaderError extends Error {}

/**
 * Returns the headers in `base` and `overrides`, with names in lower case. If both have a header, that of `overrides` is used.
 *
 * @param overrides - What the headers function returned, or the option that was checked by `headersCheck`.
 * @throws HeaderError if `overrides` is invalid.
 */
function mergeHeaders(base: HeaderMap, overrides: HeaderRecord): HeaderMap {
  if (typeof overrides !== 'object' || overrides === null) throw new HeaderError('headers() did not return an object')
  const mergedHeaders = new Map(base)
  for (const [name, value] of Object.entries(overrides)) {
    const problem = value === undefined ? undefined : headerProblem(name, value)
    if (problem !== undefined) throw new HeaderError(`headers() returned ${quoted(name)}, which ${problem}`)
    if (value !== undefined) mergedHeaders.set(name.toLowerCase(), value)
  }
  return mergedHeaders
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
