import { importRival } from './rival.ts'
import type { Line, Log, Subject } from './subject.ts'

interface SdkLogs {
  readonly LoggerProvider: new (options: object) => LoggerProvider
  readonly BatchLogRecordProcessor: new (options: object) => object
}
interface LoggerProvider {
  getLogger(name: string): { emit(record: object): void }
  forceFlush(): Promise<void>
}
interface ReadableLogRecord {
  readonly hrTime: readonly [number, number]
  readonly severityText: string
  readonly body: string
  readonly attributes: object
  readonly spanContext?: { readonly traceId: string; readonly spanId: string }
}

const info = { severityNumber: 9, severityText: 'INFO' }
const debug = { severityNumber: 5, severityText: 'DEBUG' }

export const sdkLogs = sdkLogsSubject(
  {
    title: '@opentelemetry/sdk-logs 3.1, BatchLogRecordProcessor({ maxQueueSize: Infinity }), JSON lines',
    whenFull: 'keeps everything in memory, without a limit',
  },
  { maxQueueSize: Infinity },
)

/** Creates a subject of the official SDK, with an exporter for lines, which the SDK does not have. It has no child loggers either. */
export function sdkLogsSubject({ title, whenFull }: Pick<Subject, 'title' | 'whenFull'>, options: object): Subject {
  async function open(): Promise<Log> {
    const { LoggerProvider, BatchLogRecordProcessor } = await importRival<SdkLogs>('@opentelemetry/sdk-logs')
    const provider = new LoggerProvider({
      processors: [new BatchLogRecordProcessor({ exporter: lineExporter, ...options })],
      loggerConfigurator: () => ({ enabled: true, minimumSeverity: info.severityNumber, traceBased: false }),
    })
    const logger = provider.getLogger('bench')
    return {
      text: (body) => logger.emit({ ...info, body }),
      attributes: (body, attributes) => logger.emit({ ...info, body, attributes }),
      error: (body, exception) => logger.emit({ ...info, body, exception }),
      disabled: (body, attributes) => logger.emit({ ...debug, body, attributes }),
      flush: () => provider.forceFlush(),
    }
  }
  return { title, whenFull, open, read }
}

const lineExporter = {
  export(records: readonly ReadableLogRecord[], done: (result: { code: number; error?: Error }) => void): void {
    process.stdout.write(records.map(line).join(''), (error) => done(error ? { code: 1, error } : { code: 0 }))
  },
  async forceFlush() {},
  async shutdown() {},
}

function line({ hrTime, severityText, body, attributes, spanContext }: ReadableLogRecord): string {
  const { traceId, spanId } = spanContext ?? {}
  const time = hrTime[0] * 1_000 + hrTime[1] / 1_000_000
  return `${JSON.stringify({ time, severityText, body, attributes, traceId, spanId })}\n`
}

function read({ time, severityText, body, attributes: all, traceId, spanId }: Readonly<Record<string, unknown>>): Line {
  const {
    'exception.type': type,
    'exception.message': message,
    'exception.stacktrace': stack,
    ...attributes
  } = all as Readonly<Record<string, unknown>>
  return {
    time: Number(time),
    level: String(severityText).toLowerCase(),
    message: body,
    attributes,
    error: type === undefined ? undefined : { type, message, stack },
    trace: traceId === undefined ? undefined : { traceId, spanId },
  }
}
