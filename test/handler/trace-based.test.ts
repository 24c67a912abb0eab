import { afterEach, expect, test } from '@jest/globals'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'

const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

afterEach(() => context.disable())

function logged(traceBased: boolean, traceFlags: number | undefined, levels = ['info']) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const exporter = memoryExporter()
  const log = createLogger({ exporter, traceBased, redact: ['a'] })
  const active = traceFlags === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags })
  context.with(active, () => {
    for (const level of levels) log[level as 'info'](level)
    log.child({}, { redact: ['b'] }).info('child')
  })
  const { emitted, written, exporters } = log.stats()
  return {
    messages: exporter.records.map(({ message }) => message),
    emitted,
    written,
    filtered: exporters[0]!.filtered,
  }
}

// Requirements: SDK8
test('records of unsampled spans are omitted and counted as filtered', () => {
  expect(logged(true, 0)).toEqual({ messages: [], emitted: 2, written: 0, filtered: 2 })
})

// Requirements: SDK8
test('records of sampled spans and records without a span are written', () => {
  expect(logged(true, 1).messages).toEqual(['info', 'child'])
  expect(logged(true, 3).messages).toEqual(['info', 'child'])
  expect(logged(true, undefined).messages).toEqual(['info', 'child'])
})

// Requirements: SDK8
test('all records are written without traceBased', () => {
  expect(logged(false, 0)).toMatchObject({ messages: ['info', 'child'], filtered: 0 })
})

// Requirements: SDK12
test('traceBased uses the context of a child logger instead of the active context', () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const exporter = memoryExporter()
  const log = createLogger({ exporter, traceBased: true })
  const unsampled = trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: 0 })
  const sampled = trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: 1 })
  context.with(unsampled, () => log.child({}, { context: sampled }).child({ a: 1 }).info('kept'))
  context.with(sampled, () => log.child({}, { context: unsampled }).info('left out'))
  expect(exporter.records).toMatchObject([{ message: 'kept', trace_id: ids.traceId, trace_flags: '01' }])
})
