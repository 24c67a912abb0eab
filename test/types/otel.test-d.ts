import type * as api from '@opentelemetry/api'
import { createLoggerConfigurator } from '@opentelemetry/sdk-logs'
import { hostDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { expectTypeOf } from 'expect-type'
import { apiLogs, api as api19 } from '../legacy-otel/index.ts'
import { memoryExporter } from '../../src/entries/exporters.ts'
import {
  createLoggerProvider,
  type EmittedLogRecord,
  type LoggerProvider,
  type OtelLoggerProvider,
  type ScopedLogger,
} from '../../src/entries/otel.ts'

const provider = createLoggerProvider()

// A provider and its loggers are assignable to the types of both API versions.
expectTypeOf(provider).toExtend<api.LoggerProvider>()
expectTypeOf(provider).toExtend<apiLogs.LoggerProvider>()
expectTypeOf(provider.getLogger('a')).toExtend<api.Logger>()
expectTypeOf(provider.getLogger('a')).toExtend<apiLogs.Logger>()
apiLogs.logs.setGlobalLoggerProvider(provider)

// Records and options of both API versions are accepted.
expectTypeOf<api.LogRecord>().toExtend<EmittedLogRecord>()
expectTypeOf<apiLogs.LogRecord>().toExtend<EmittedLogRecord>()
declare const logger: ScopedLogger
logger.emit({ context: api19.context.active(), severityNumber: apiLogs.SeverityNumber.INFO })
expectTypeOf<api.LoggerOptions>().toExtend<Parameters<OtelLoggerProvider['getLogger']>[2]>()
expectTypeOf<apiLogs.LoggerOptions>().toExtend<Parameters<OtelLoggerProvider['getLogger']>[2]>()

// Resources, detectors and configurators of the official SDK are options.
createLoggerProvider({
  exporter: [memoryExporter(), memoryExporter({ level: 'warn' })],
  resource: resourceFromAttributes({ 'service.name': 'shop' }),
  detectors: [hostDetector, { detect: async () => ({ attributes: {} }) }],
  loggers: createLoggerConfigurator([{ pattern: 'a*', config: { enabled: false } }]),
})
createLoggerProvider({ resource: { 'service.name': 'shop', replicas: 3 } })

createLoggerProvider({ loggers: [{ name: 'http*', minimumSeverity: 'warn2', traceBased: true }] })
provider.configure({ defaultLogger: { minimumSeverity: 13 } })

// @ts-expect-error a rule without a name
createLoggerProvider({ loggers: [{ enabled: false }] })
// @ts-expect-error unknown severity
provider.configure({ defaultLogger: { minimumSeverity: 'info5' } })
// @ts-expect-error unknown severity
provider.configure({ defaultLogger: { minimumSeverity: 25 } })
// @ts-expect-error an exporter is an object
createLoggerProvider({ exporter: 'console' })
// @ts-expect-error a resource is an object with a method
createLoggerProvider({ resource: { a: [] } })

expectTypeOf<LoggerProvider>().toExtend<AsyncDisposable>()
expectTypeOf(provider.shutdown()).resolves.toHaveProperty('ok')
