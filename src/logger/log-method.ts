/** The primitive values, which are accepted as caught values and as printf arguments. */
type Primitive = string | number | bigint | boolean | symbol | null | undefined

/** Any function. As the first argument of a log call, it is called only if the level is enabled. */
type LazyArguments = (...args: never[]) => unknown

// The name in the braces, up to a colon. `never`, so that the braces are plain text, if it is empty or looks like JSON or a route.
type InsertedName<S extends string> = S extends
  | ''
  | `:${string}`
  | `${string}${' ' | '"' | "'" | ',' | '/' | '{'}${string}`
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
    ? InsertedName<N> | TemplateNames<Rest>
    : never

/**
 * The attributes that a message inserts, without those that the logger adds to each record, whose names are `B`. A message that is
 * not a literal requires none.
 */
type RequiredAttributes<M, B extends string> = M extends `${string}{${string}`
  ? { readonly [K in Exclude<TemplateNames<M>, B>]: unknown }
  : unknown

/** A value that is not attributes. */
type SingleValue = Primitive | Error | readonly unknown[]

/** The first argument: any single value, or the attributes that the logger declares. */
type FirstArgument<F, A> = unknown extends F ? F : F extends SingleValue | LazyArguments ? F : A

/** The second argument: a message after attributes or an Error; after a message, its attributes or any single value. */
type SecondArgument<F, S, A, B extends string> = unknown extends S
  ? S
  : [F] extends [string]
    ? S extends SingleValue
      ? S
      : [keyof A] extends [never]
        ? S & RequiredAttributes<F, B>
        : A & RequiredAttributes<F, B>
    : string | undefined

/**
 * The types that a second argument has in most calls. A constraint is checked faster than a conditional type. With `[F]`, which would not
 * distribute over a union, calls with a message alone take four times as long to check.
 */
type UsualSecondArgument<F, B extends string> = F extends string
  ? Primitive | (object & RequiredAttributes<F, B>)
  : string | undefined

/**
 * Logs one record if its level is enabled. Returns nothing and never throws, whatever the arguments. `A` are the attributes that
 * the logger declares (`types`); `object` allows any. `B` are the names of the attributes that the logger adds to each record: a
 * message can insert them without repeating them.
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
export interface LogMethod<A extends object = object, B extends string = never> {
  // Editors complete by the first signature, and most calls match it, also those with interfaces, unions and type parameters. The
  // compiler reports the error of the last one, which also accepts values of unknown type. Methods with several signatures are
  // compared leniently, so that a logger with bound attributes is assignable to one without.
  /**
   * Logs a message with the attributes that it names, or attributes, an Error or a lazy function with a message. Of the further
   * arguments, an Error becomes the record's exception, and the others are inserted printf style (`%s %d %i %f %j %o %O %c %%`), or
   * logged as the attribute `args` if the message has no placeholder for them.
   */
  <const F extends Primitive | object, S extends UsualSecondArgument<F, B>>(
    first: [keyof A] extends [never] ? F : FirstArgument<F, A>,
    second?: [keyof A] extends [never] ? S : SecondArgument<F, S, A, B>,
    ...rest: readonly unknown[]
  ): void
  /** Logs a message with the attributes that it names, or attributes, an Error or a lazy function with a message. */
  <const F, S>(first: FirstArgument<F, A>, second?: SecondArgument<F, S, A, B>, ...rest: readonly unknown[]): void
}
