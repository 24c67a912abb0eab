import { sharedContextStorage } from '../platform/node/with-context.ts'

/** The request that is handled at the moment. What is set on it is added to the record of the request. */
export interface CurrentRequest {
  /** The request ID; undefined outside of a request. */
  readonly id: string | undefined
  /**
   * Adds attributes to the record of the request. They are read once, when `set` is called, and override attributes of the same name
   * that were set before; those that the request log itself adds when the request is complete take precedence. Attributes that are
   * set after the request is complete are logged in a record of their own, which also has the attributes of the request; they are not logged
   * if the request was sampled out. Has no effect on ignored requests. Never throws.
   */
  set(attributes: object): void
  /**
   * Adds an error to the record of the request, whatever the status of the response; its default level is then `error`. Only the first
   * error is logged. After the request is complete, the error is logged in a record of its own. Has no effect on ignored requests. Never
   * throws.
   */
  fail(error: unknown): void
}

/**
 * Returns the request that is handled in the current async context. Outside of a request, and in runtimes without async context
 * tracking, `id` is undefined and the methods have no effect, so code that is shared with jobs needs no checks.
 *
 * @example
 * ```ts
 * currentRequest().set({ user: { id: user.id } })
 * ```
 */
export function currentRequest(): CurrentRequest {
  const holder = sharedContextStorage().get()?.request as CurrentRequestHolder | undefined
  return holder?.current ?? noRequest
}

/** The request to which a context refers. */
export interface CurrentRequestHolder {
  /** What `currentRequest` returns in the context. */
  readonly current: CurrentRequest
}

/** What `currentRequest` returns outside of a request. */
export const noRequest: CurrentRequest = Object.freeze({ id: undefined, set: () => {}, fail: () => {} })

/**
 * Returns the ID of the request that is handled in the current async context; undefined outside of a request. Loggers of
 * `createLogger` add it themselves; for other loggers it can be added by a hook, such as pino's `mixin`.
 */
export function currentRequestId(): string | undefined {
  return currentRequest().id
}
