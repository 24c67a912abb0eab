/** The values accepted as a caught value, an Error or a printf argument. */
type Scalar = string | number | bigint | boolean | symbol | null | undefined

/** Any function. As the first argument of a log call, it is called only if the level is enabled. */
type Lazy = (...args: never[]) => unknown

// The name between the braces: never (plain text) when it is empty or looks like JSON or a route, else the part up to the ':'.
type Name<S extends string> = S extends '' | `:${string}` | `${string}${' ' | '"' | "'" | ',' | '/' | '{'}${string}`
  ? never
  : S extends `${infer N}:${string}`
    ? N
    : S

/**
 * The names that a message template inserts: `'{a} and {b:json}'` has `'a' | 'b'`. `'{{'` is an escaped brace. Names that are
 * empty or contain a space, a quote, a comma, a slash or a brace are plain text, so that JSON and routes can be logged. Messages
 * are parsed by the same rules at run time.
 */
export type TemplateNames<M extends string> = M extends `${infer Head}{{${infer Tail}`
  ? TemplateNames<Head> | TemplateNames<Tail>
  : M extends `${string}{${infer N}}${infer Rest}`
    ? Name<N> | TemplateNames<Rest>
    : never

/** The attributes that a message requires; a message that is not a literal requires none. */
type Named<M extends string> = string extends M ? unknown : { readonly [K in TemplateNames<M>]: unknown }

// `unknown` (a caught value) and `any` are accepted unchanged; objects must match the other signatures.
type Value<V> = unknown extends V ? V : V extends Scalar | Error | readonly unknown[] ? V : never
type First<V, A> = unknown extends V ? V : V extends Scalar | Error | Lazy ? V : A

/**
 * Logs one record if its level is enabled. Returns nothing and never throws, whatever the arguments. `A` are the attributes that
 * the logger declares (`types`); `object` allows any.
 *
 * @example
 * ```ts
 * log.info('started')
 * log.info('order {orderId} placed', { orderId, total })
 * log.error('could not place {orderId}', { orderId }, error)
 * log.error(error, 'could not place the order')
 * log.info('%s took %d ms', 'job', 3)
 * log.debug(() => ['state', { state: expensive() }])
 * ```
 */
export interface LogMethod<A extends object = object> {
  /**
   * Logs a message with the attributes that it names. Of the further arguments, an Error becomes the record's exception, and the
   * others are inserted printf style (`%s %d %i %f %j %o %O %c %%`).
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- T keeps interfaces and unions whole
  <const M extends string, T extends A & Named<M>>(
    message: M,
    attributes?: [keyof A] extends [never] ? T : A & Named<M>,
    ...rest: readonly unknown[]
  ): void
  /** Logs a message with a caught value, an Error, or printf arguments. */
  <V>(message: string, value: Value<V>, ...rest: readonly unknown[]): void
  /** Logs attributes, an Error or a lazy function, then the message. */
  <V>(value: First<V, A>, message?: string, ...rest: readonly unknown[]): void
}
