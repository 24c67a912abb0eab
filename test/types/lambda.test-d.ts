// Checked by the compiler only: withFlush keeps the type of a handler.
import { expectTypeOf } from 'expect-type'
import { createLogger, logger } from '../../src/entries/index.ts'
import { withFlush } from '../../src/entries/lambda.ts'

interface Context {
  getRemainingTimeInMillis(): number
}
type Callback<R> = (error?: Error | string | null, result?: R) => void
/** The type in `@types/aws-lambda`. */
type Handler<E, R> = (event: E, context: Context, callback: Callback<R>) => void | Promise<R>

declare const asynchronous: (event: { id: number }, context: Context) => Promise<{ statusCode: number }>
declare const callingBack: (event: string, context: Context, callback: Callback<number>) => void
declare const streaming: (event: unknown, response: NodeJS.WritableStream, context: Context) => Promise<void>
declare const declared: Handler<{ id: number }, string>
declare const generic: <T>(event: T) => Promise<T>

expectTypeOf(withFlush(asynchronous)).toEqualTypeOf<typeof asynchronous>()
expectTypeOf(withFlush(callingBack)).toEqualTypeOf<typeof callingBack>()
expectTypeOf(withFlush(streaming)).toEqualTypeOf<typeof streaming>()
expectTypeOf(withFlush(declared)).toEqualTypeOf<typeof declared>()
export const stillGeneric: typeof generic = withFlush(generic)

// The parameters of an inline handler are inferred from the expected type
export const handler: Handler<{ id: number }, string> = withFlush(async (event) => `order ${event.id.toFixed()}`)
// @ts-expect-error wrong return type
export const wrong: Handler<{ id: number }, string> = withFlush(async () => 1)

// Any logger of this package
withFlush(asynchronous, {
  timeoutMillis: 100,
  loggers: [logger, logger.child({}), createLogger({ levels: { notice: 10 } })],
})
// @ts-expect-error not a logger
withFlush(asynchronous, { loggers: [console] })
// @ts-expect-error unknown option
withFlush(asynchronous, { timeout: 100 })
// @ts-expect-error not a function
withFlush({})
