import {
  createLogger as createCoreLogger,
  type CoreLoggerOptions,
  type RootLogger,
} from '../../../../../src/entries/core.ts'
import type { LogRecord } from '../../../../../src/record/record.ts'
import type { ExplainedRedaction } from '../../../../../src/testing/explain-redaction.ts'
import { explainRecord } from './explain-record.ts'
import { formatsEncoding } from './formats-encoding.ts'
import type { OutputSink } from './output-sink.ts'

/** How long records are explained in one run, in ms. */
const explainMillis = 500

/** Creates the loggers of a program, whose records are shown, and flushes them. */
export class CapturedLoggers {
  private readonly loggers: RootLogger[] = []
  private readonly sink: OutputSink
  private readonly explainsRedaction: boolean
  private readonly encodingFor: ReturnType<typeof formatsEncoding>
  private explainedMillis = 0

  constructor(sink: OutputSink, options: { readonly columns: number; readonly explainsRedaction: boolean }) {
    this.sink = sink
    this.explainsRedaction = options.explainsRedaction
    this.encodingFor = formatsEncoding(options.columns)
  }

  /** Creates a logger like `createLogger` of `sluice/core`. Exporters of the options receive the records too. */
  readonly createLogger = (options?: CoreLoggerOptions): RootLogger => {
    const own = typeof options === 'object' && options !== null ? options : undefined
    const encoding = this.encodingFor({
      acceptsRecord: () => this.sink.acceptsRecord(),
      addRecord: (record, texts) => this.sink.addRecord(texts, this.explain(own?.redact, record)),
    })
    const accepted = { status: 'accepted' } as const
    const exporter = {
      name: 'playground',
      encoding,
      schedule: 'sync',
      delivery: {},
      export: () => accepted,
      exportSync: () => accepted,
    } as const
    const logger = createCoreLogger(
      // Other values are passed as they are, for their error messages.
      own === undefined && options !== undefined
        ? options
        : { ...own, exporter: [exporter, ...[own?.exporter ?? []].flat()] },
    )
    this.loggers.push(logger)
    return logger
  }

  /** Writes what handlers and exporters have held back. */
  async flush(): Promise<void> {
    await Promise.all(this.loggers.map((logger) => logger.flush({ timeoutMillis: 200 })))
  }

  private explain(redact: CoreLoggerOptions['redact'], record: LogRecord): ExplainedRedaction[] | undefined {
    if (!this.explainsRedaction || this.explainedMillis > explainMillis) return undefined
    const start = performance.now()
    try {
      return explainRecord(redact, record)
    } finally {
      this.explainedMillis += performance.now() - start
    }
  }
}
