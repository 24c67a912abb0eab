// Checked by the compiler alone: what tests of users are told of captured logs.
import { expectTypeOf } from 'expect-type'
import { captureLogs, checkExporter, checkHandler, manualClock, matchers } from '../../src/entries/testing.ts'
import type { CapturedRecord, ContractViolation, Exporter, Handler, RootLogger } from '../../src/entries/testing.ts'
import { createLogger, logger } from '../../src/entries/index.ts'

interface Order {
  orderId?: string
}

declare const orders: { attributes: Order }

// The logger is that of createLogger
expectTypeOf(captureLogs().logger).toEqualTypeOf<RootLogger>()
const logs = captureLogs({ types: orders, levels: { notice: 10 }, level: 'notice', redact: ['orderId'] })
expectTypeOf(logs.logger).toEqualTypeOf<RootLogger<Order, 'notice'>>()
logs.logger.notice('{orderId}', { orderId: 'a' })
logs.at('notice')
logs.at('warn')
// @ts-expect-error no such level
logs.at('notise')
// @ts-expect-error no such level
captureLogs({ level: 'notice' })
// @ts-expect-error it captures itself
captureLogs({ exporter: logs.exporter() })

// Loggers that are there already, whatever they declare
captureLogs({ from: logger })
captureLogs({ from: [logger, createLogger({ types: orders, levels: { alert: 19 } }), logs.logger] })
// @ts-expect-error a child owns no pipelines
captureLogs({ from: logger.child({}) })

// What was captured
expectTypeOf(logs.find('a')).toEqualTypeOf<CapturedRecord | undefined>()
expectTypeOf(logs.filter(/a/)).toEqualTypeOf<readonly CapturedRecord[]>()
expectTypeOf(logs.records[0]!.attributes).toEqualTypeOf<Readonly<Record<string, unknown>>>()
expectTypeOf(logs.records[0]!.error?.message).toEqualTypeOf<string | undefined>()
expectTypeOf(logs).toExtend<Disposable>()
logs.find({ level: 'notice', minimumLevel: 'warn', message: (text) => text.length > 1, error: { type: /Error$/ } })
// @ts-expect-error a query has no such member
logs.find({ mesage: 'a' })
// @ts-expect-error what was captured is not changed
logs.records.push(logs.records[0]!)

// Clocks and exporters fit where they are asked for
createLogger({ clock: manualClock('2026-01-01'), exporter: [logs.exporter({ level: 'warn' })] })
expectTypeOf(logs.exporter).returns.toEqualTypeOf<Exporter>()
expectTypeOf(checkExporter(() => logs.exporter())).toEqualTypeOf<Promise<readonly ContractViolation[]>>()
void checkExporter(async () => ({ exporter: logs.exporter(), received: () => new Uint8Array(), fail() {} }))
// @ts-expect-error what it makes is no exporter
void checkExporter(() => ({ name: 'a' }))

// Handlers, also of loggers with levels of their own
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
// @ts-expect-error what it makes is a handler, and not what puts it in front of another
void checkHandler(() => handing(handing({ handle() {} })))

// Any runner's expect.extend
expectTypeOf(matchers).toExtend<Record<string, (this: object, received: any, ...rest: any[]) => object>>()
