// Checked by the compiler only (npm run types): each line compiles, or is expected not to compile.
import { expectTypeOf } from 'expect-type'
import type { IncomingMessage } from 'node:http'
import { createLogger } from '../../src/create/create-logger.ts'
import { captureConsole } from '../../src/entries/console.ts'
import { requestLog } from '../../src/entries/http.ts'
import { nestLogger } from '../../src/entries/nest.ts'
import { captureLogs } from '../../src/entries/testing.ts'
import type { Handler } from '../../src/handler/handler.ts'
import type { LogMethod } from '../../src/logger/log-method.ts'
import type { FlushResult, Logger, LoggerOptions, RootLogger } from '../../src/logger/types.ts'
import type { AnyValue } from '../../src/record/any-value.ts'
import type { StandardLevel } from '../../src/record/severity.ts'

interface Order {
  orderId?: string
  total?: number
}

declare const orders: { attributes: Order }

const plain = createLogger()
const noticing = createLogger({ level: 'notice', levels: { notice: 10, alert: 19 } })
const typed = createLogger({ types: orders })
const both = createLogger({ types: orders, levels: { notice: 10 } })

// Inferred types
expectTypeOf(plain).toEqualTypeOf<RootLogger>()
expectTypeOf(noticing).toEqualTypeOf<RootLogger<object, 'notice' | 'alert'>>()
expectTypeOf(typed).toEqualTypeOf<RootLogger<Order>>()
expectTypeOf(both).toEqualTypeOf<RootLogger<Order, 'notice'>>()

// Levels
noticing.notice('x', { a: 1 })
noticing.alert(new Error('x'), 'y')
noticing.child({ a: 1 }).notice('x')
noticing.level = 'notice'
noticing.level = 'silent'
both.notice('{orderId}', { orderId: 'a' })
expectTypeOf(noticing.level).toEqualTypeOf<string>()
expectTypeOf(noticing.notice).toEqualTypeOf<LogMethod>()
noticing.isLevelEnabled('alert')
// @ts-expect-error unknown level
plain.notice('x')
// @ts-expect-error unknown level
plain.level = 'notice'
// @ts-expect-error unknown level
plain.isLevelEnabled('notice')
createLogger({ level: process.env['LOG_LEVEL'] ?? 'info' }) // checked at run time
createLogger({ level: process.env['LOG_LEVEL'] ?? 'notice', levels: { notice: 10 } })
plain.isLevelEnabled(process.env['LOG_LEVEL'] ?? 'info')
const options: LoggerOptions = { level: process.env['LOG_LEVEL'] ?? 'info' }
expectTypeOf(createLogger(options)).toEqualTypeOf<RootLogger>()
createLogger({ level: 'info,db.*=debug,[tenant=acme]=trace' }) // directives are checked at run time
createLogger({ level: '*=notice', levels: { notice: 10 } })
// @ts-expect-error directives are not for a child
plain.child({}, { level: 'info,db=debug' })
// @ts-expect-error unknown level
createLogger({ level: 'notice' })
// @ts-expect-error unknown level
createLogger({ level: 'notise', levels: { notice: 10 } })
// @ts-expect-error not a severity number
createLogger({ levels: { notice: 25 } })
// @ts-expect-error 0 is not a severity
createLogger({ levels: { notice: 0 } })
// @ts-expect-error declared attributes apply to custom levels
both.notice('x', { orderID: 'a' })
// @ts-expect-error declared attributes apply to children
typed.child({}).info('x', { orderId: 5 })

// Handlers
createLogger({
  handler: (next) => ({
    handle(record) {
      expectTypeOf(record.level).toEqualTypeOf<StandardLevel>()
      expectTypeOf(record.attributes?.['path']).toEqualTypeOf<unknown>()
      expectTypeOf(record.bound.get('a')).toEqualTypeOf<AnyValue | undefined>()
      record.level = 'warn'
      record.body = { any: 'value' }
      record.attributes = undefined
      // @ts-expect-error unknown level
      record.level = 'notice'
      // @ts-expect-error attributes are an object
      record.attributes = 'text'
      // @ts-expect-error only level, body and attributes are writable
      record.severity = 17
      // @ts-expect-error attribute values are read-only
      record.attributes!['a'] = 1
      // @ts-expect-error bound attributes are read-only
      record.bound.set('a', 1)
      next.handle(record)
    },
  }),
})
createLogger({
  levels: { notice: 10 },
  handler: (next) => ({
    handle(record) {
      record.level = 'notice'
      next.handle(record)
    },
  }),
})
// A handler for loggers with any levels
const anyLevel = (next: Handler): Handler => ({ handle: (record) => record.level === 'info' && next.handle(record) })
createLogger({ handler: anyLevel })
createLogger({ handler: anyLevel, levels: { notice: 10 } })
// @ts-expect-error it does not return a handler
createLogger({ handler: () => ({}) })
// @ts-expect-error the function must take the next handler
createLogger({ handler: { handle() {} } })

// A logger can be passed as a narrower type
const takesPlain = (log: Logger) => log.info('x')
const takesTyped = (log: Logger<Order>) => log.info('x', { orderId: 'a' })
takesPlain(plain)
takesPlain(noticing)
takesPlain(typed)
takesPlain(both)
takesPlain(plain.child({ a: 1 }))
takesTyped(typed)
takesTyped(plain)

// The attributes that a logger adds to each record do not have to be repeated for the message
const bound = createLogger({ attributes: { service: 'shop' }, levels: { notice: 10 } })
bound.notice('{service} sold {count}', { count: 1 })
plain.child({ orderId: 7 }).info('order {orderId} took {ms}', { ms: 3 })
plain.child({ a: 1 }).child({ b: 2 }).info('{a} {b} {c}', { c: 3 })
// @ts-expect-error c is missing
plain.child({ a: 1 }).child({ b: 2 }).info('{a} {b} {c}', { d: 3 })
declare const optional: { a?: number }
declare const record: Record<string, number>
// @ts-expect-error an optional attribute may be missing
plain.child(optional).info('{a} {b}', { b: 3 })
// @ts-expect-error the names of a record are not known
plain.child(record).info('{a} {b}', { b: 3 })

// A logger with bound attributes is a plain logger
const choice = Math.random() > 0.5 ? plain : plain.child({ user: 1 })
choice.info('x {user}', { user: 1 })
const children = Math.random() > 0.5 ? plain.child({ tenant: 1 }) : plain.child({ user: 1 })
children.info('x', { a: 1 })
for (const one of [plain, plain.child({ user: 1 })]) one.info('x', { a: 1 })
let reassigned: Logger = plain.child({ user: 1 })
reassigned = plain.child({ a: 1 }).child({ b: 1 })
reassigned.info('x')
takesPlain(plain.child({ a: 1 }).child({ b: 2 }))
const withUser = (user?: string) => (user === undefined ? plain : plain.child({ user }))
withUser().info('x', { a: 1 })

// Required attributes
declare const tenantTypes: { attributes: { tenant: string; count?: number } }
const tenants = createLogger({ types: tenantTypes })
takesPlain(tenants)
takesPlain(tenants.child({ tenant: 'a' }))
tenants.child({ tenant: 'a' }).info('{tenant} {count}', { count: 1 })
// @ts-expect-error count is a number
tenants.child({ tenant: 'a' }).info('{tenant} {count}', { count: '1' })
requestLog({ logger: tenants })
nestLogger(tenants)
captureConsole({ logger: tenants })
captureLogs({ from: tenants })
// @ts-expect-error a child logger is not a root logger
void plain.child({}).shutdown()

// Options
createLogger({ serializers: { user: (user: { id: string }) => user.id, req: (req: IncomingMessage) => req.method } })
createLogger({ serializers: { any: (value) => String(value), none: () => undefined } })
createLogger({ baggage: ['tenant', 'user.*'] })
// @ts-expect-error the names of entries are an array
createLogger({ baggage: 'tenant' })
createLogger({ attributes: { pid: 1 }, enrich: () => ({ a: 1 }), redact: ['password'], limits: { depth: 5 } })
createLogger({ redact: { paths: ['a.b'], keys: ['token', /secret/], censor: () => 'x' } })
createLogger({ redact: { censor: (value, path: readonly string[]) => `${path.length} ${typeof value}` } })
createLogger({ redact: { censor: (value, path) => `${path.length} ${typeof value}` } })
createLogger({ redact: { paths: ['a.b'], censor: (value, path: string[]) => `${path.length} ${typeof value}` } })
createLogger({
  resource: { 'service.name': 'shop', replicas: 3, canary: true },
  onDiagnostic: (diagnostic) => diagnostic.code,
})
// @ts-expect-error without an annotation the value is unknown
createLogger({ serializers: { user: (user) => user.id } })
// @ts-expect-error unknown option
createLogger({ levle: 'info' })
// @ts-expect-error unknown profile
createLogger({ profile: 'desktop' })
// @ts-expect-error unknown limit
createLogger({ limits: { breadth: 1 } })
// @ts-expect-error paths are text
createLogger({ redact: [/password/] })
plain.child({ level: 'is an attribute' }, { level: 'debug', messagePrefix: '[db] ', redact: ['sql'] })
// @ts-expect-error unknown level
plain.child({}, { level: 'loud' })
noticing.child({}, { level: 'notice' })
plain.child({}, { level: undefined })
declare const configured: string
plain.child({}, { level: configured }) // checked at run time
// @ts-expect-error attributes are an object
plain.child('db')

// Flushing
expectTypeOf(plain.flush({ timeoutMillis: 1 })).toEqualTypeOf<Promise<FlushResult>>()
expectTypeOf(plain.flushSync(50)).toEqualTypeOf<FlushResult>()
expectTypeOf(plain.shutdown()).toEqualTypeOf<Promise<FlushResult>>()
expectTypeOf(plain.stats().dropped.byReason.queue_full).toEqualTypeOf<number>()
expectTypeOf(plain.stats().exporters[0]!.accepted).toEqualTypeOf<number>()
expectTypeOf(plain).toExtend<AsyncDisposable>()

// The levels of a recorder are those of the logger.
createLogger({ recorder: {} })
createLogger({ levels: { notice: 10 }, recorder: { level: 'notice', by: 'tenant', trigger: 'warn', maxRecords: 10 } })
// @ts-expect-error -- an unknown level
createLogger({ recorder: { level: 'notice' } })
// @ts-expect-error -- an unknown option
createLogger({ recorder: { triggers: 'warn' } })
// @ts-expect-error -- not a number
createLogger({ recorder: { maxAgeMillis: '30s' } })
createLogger().stats().exporters[0]!.recorded satisfies number
