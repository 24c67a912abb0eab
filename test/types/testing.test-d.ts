// Checked by the compiler only: the types of captured logs.
import { expectTypeOf } from 'expect-type'
import { captureLogs, checkExporter, checkHandler, manualClock, matchers } from '../../src/entries/testing.ts'
import type { CapturedRecord, ContractViolation, Exporter, Handler, RootLogger } from '../../src/entries/testing.ts'
import { createLogger, logger } from '../../src/entries/index.ts'

interface Order {
  orderId?: string
}

declare const orders: { attributes: Order }

// The logger has the type of createLogger
expectTypeOf(captureLogs().logger).toEqualTypeOf<RootLogger>()
const logs = captureLogs({ types: orders, levels: { notice: 10 }, level: 'notice', redact: ['orderId'] })
expectTypeOf(logs.logger).toEqualTypeOf<RootLogger<Order, 'notice'>>()
logs.logger.notice('{orderId}', { orderId: 'a' })
logs.at('notice')
logs.at('warn')
// @ts-expect-error unknown level
logs.at('notise')
// @ts-expect-error unknown level
captureLogs({ level: 'notice' })
// @ts-expect-error captureLogs sets this option itself
captureLogs({ exporter: logs.exporter() })

// Existing loggers with any declared types
captureLogs({ from: logger })
captureLogs({ from: [logger, createLogger({ types: orders, levels: { alert: 19 } }), logs.logger] })
// @ts-expect-error a child logger cannot be captured
captureLogs({ from: logger.child({}) })

// Captured records
expectTypeOf(logs.find('a')).toEqualTypeOf<CapturedRecord | undefined>()
expectTypeOf(logs.filter(/a/)).toEqualTypeOf<readonly CapturedRecord[]>()
expectTypeOf(logs.records[0]!.attributes).toEqualTypeOf<Readonly<Record<string, unknown>>>()
expectTypeOf(logs.records[0]!.error?.message).toEqualTypeOf<string | undefined>()
expectTypeOf(logs).toExtend<Disposable>()
logs.find({ level: 'notice', minimumLevel: 'warn', message: (text) => text.length > 1, error: { type: /Error$/ } })
// @ts-expect-error unknown member of a query
logs.find({ mesage: 'a' })
// @ts-expect-error captured records are read-only
logs.records.push(logs.records[0]!)

// Clocks and exporters are assignable to options
createLogger({ clock: manualClock('2026-01-01'), exporter: [logs.exporter({ level: 'warn' })] })
expectTypeOf(logs.exporter).returns.toEqualTypeOf<Exporter>()
expectTypeOf(checkExporter(() => logs.exporter())).toEqualTypeOf<Promise<readonly ContractViolation[]>>()
void checkExporter(async () => ({ exporter: logs.exporter(), received: () => new Uint8Array(), fail() {} }))
// @ts-expect-error it does not return an exporter
void checkExporter(() => ({ name: 'a' }))

// Handlers, including those of loggers with custom levels
const handing = (next: Handler): Handler => ({ handle: (record) => next.handle(record) })
const alerting = (next: Handler<'alert'>): Handler<'alert'> => ({
  handle(record) {
    record.level = 'alert'
    next.handle(record)
  },
})
expectTypeOf(checkHandler(() => handing, { passes: 'all' })).toEqualTypeOf<Promise<readonly ContractViolation[]>>()
void checkHandler(() => alerting, { levels: { alert: 19 } })
captureLogs({ handler: handing })
// @ts-expect-error it returns a handler, not a function of the next handler
void checkHandler(() => handing(handing({ handle() {} })))

// Any runner's expect.extend
expectTypeOf(matchers).toExtend<Record<string, (this: object, received: any, ...rest: any[]) => object>>()
