// Checked by the compiler only: the types of handlers and their host.
import { expectTypeOf } from 'expect-type'
import {
  budget,
  compose,
  dedupe,
  limit,
  route,
  sampleByTrace,
  tee,
  type CreateHandler,
  type HandledRecord,
} from '../../src/entries/handlers.ts'
import { createLogger, type Handler, type HandlerHost, type LoggerOptions } from '../../src/entries/index.ts'

// Each handler can be the option `handler`, also of a logger with more levels
createLogger({ handler: limit() })
createLogger({ levels: { notice: 10 }, handler: dedupe() })
const log = createLogger({
  levels: { notice: 10 },
  handler: compose(dedupe(), tee(sampleByTrace(0.1), budget({ bytesPerSecond: { debug: 1 } }))),
})
log.notice('m')
expectTypeOf(limit()).toEqualTypeOf<CreateHandler>()
expectTypeOf<LoggerOptions['handler']>().toEqualTypeOf<CreateHandler | undefined>()

// Custom handlers of a logger with more levels
const raising: CreateHandler<'notice'> = (next) => ({
  handle(record) {
    if (record.level === 'info') record.level = 'notice'
    next.handle(record)
  },
})
createLogger({ levels: { notice: 10 }, handler: compose(raising, dedupe(), limit()) })
createLogger({ levels: { notice: 10 }, handler: tee(raising, dedupe()) })
createLogger({ levels: { notice: 10 }, handler: route((record) => record.level, { notice: raising, info: limit() }) })

// A handler of one parameter, and one that uses its host
createLogger({ handler: (next) => next })
createLogger({
  levels: { notice: 10 },
  handler(next, host) {
    host.emit({ level: 'notice', body: 'm', attributes: { a: 1 }, eventName: 'e' }, next)
    // @ts-expect-error the logger has no such level
    host.emit({ level: 'loud' }, next)
    // @ts-expect-error attributes are an object
    host.emit({ attributes: 'a' }, next)
    // @ts-expect-error the next handler is required
    host.emit({ body: 'm' })
    expectTypeOf(host.delay(1, () => {})).toEqualTypeOf<() => void>()
    expectTypeOf(host.now()).toEqualTypeOf<number>()
    return {
      handle(record) {
        expectTypeOf(record.span?.traceState).toEqualTypeOf<string | undefined>()
        expectTypeOf(host.originOf(record).loggerName).toEqualTypeOf<string | undefined>()
        host.filter(record, 'reason')
      },
    }
  },
})
export const decorated: CreateHandler = (next: Handler, host: HandlerHost) => compose(limit())(next, host)

// Options
limit({ first: 1, thereafter: 0, windowMillis: 1, by: 'template', maxKeys: 1, keepLevel: 'silent' })
limit({ by: (record: HandledRecord) => record.eventName })
limit({ by: (record) => record.severity })
// @ts-expect-error a key is not an object
limit({ by: (record) => record.attributes })
// @ts-expect-error an unknown level
limit({ keepLevel: 'notice' })
// @ts-expect-error dedupe applies to every level
dedupe({ keepLevel: 'warn' })
// @ts-expect-error the ratio is required
sampleByTrace()
// @ts-expect-error bytesPerSecond is required
budget({})
// @ts-expect-error an unknown level
budget({ bytesPerSecond: { loud: 1 } })
route((record) => record.eventName, { placed: limit() })
// @ts-expect-error a key is a string
route((record) => record.attributes, { placed: limit() })
// @ts-expect-error the handlers are functions
route((record) => record.eventName, { placed: {} })

limit({ by: { attribute: 'tenant' } })
dedupe({ by: { attribute: 'tenant' } })
route({ attribute: 'tenant' }, { acme: limit() })
// @ts-expect-error an attribute has a name
limit({ by: { attribute: 7 } })

// Statistics
expectTypeOf(log.stats().filteredByReason).toEqualTypeOf<Readonly<Record<string, number>>>()
