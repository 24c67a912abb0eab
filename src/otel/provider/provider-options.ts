import type { Exporter } from '../../pipeline/exporter.ts'
import type { MeterProvider } from '../../pipeline/meter.ts'
import type { ValueSerializer } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { Limits } from '../../values/limits.ts'
import type { Redact } from '../../redact/redact.ts'
import type { ResourceAttributes } from '../../platform/node/resource.ts'
import type { LoggerSettings } from './configurator.ts'
import type { ResourceDetector } from './provider-resource.ts'
import type { OtelLogRecordProcessor, OtelResource } from '../api/types.ts'

/** What `createLoggerProvider` takes. Wrong options throw one `ConfigurationError` that lists all problems. */
export interface LoggerProviderOptions extends LoggerSettings {
  /**
   * Where records go; each exporter has its own queue, level, layout and ledger. An empty array: nowhere but to `processors`,
   * which receive records before redaction. Default `fdExporter()`, in the profile `cli` `fdExporter({ fd: 2 })`.
   */
  readonly exporter?: Exporter | readonly Exporter[]
  /**
   * The path of an OpenTelemetry configuration file (`.yaml` or `.yml`), relative to the working directory. It sets
   * `exporter`, `resource`, `detectors`, `limits`, `loggers` and `defaultLogger`; an option given here replaces the file's. With
   * a file, `OTEL_*` variables apply only where the file refers to them. What is wrong in the file is thrown as a
   * `ConfigurationError` with its line and column. Default: none; `OTEL_CONFIG_FILE` is read by `sluice/register` only.
   */
  readonly configFile?: string
  /** What kind of program it is, as for `createLogger`. Default: `SLUICE_PROFILE`; `lambda` in AWS Lambda; else `service`. */
  readonly profile?: 'service' | 'lambda' | 'cli'
  /**
   * Attributes of the resource, or a resource of `@opentelemetry/resources`: over `OTEL_SERVICE_NAME` and
   * `OTEL_RESOURCE_ATTRIBUTES`, which are over what the detectors find (RES1).
   */
  readonly resource?: ResourceAttributes | OtelResource
  /**
   * Processors of OpenTelemetry's SDK, of either line, such as one that copies baggage: each record goes through them in this
   * order, and what they change is what is encoded (PRO1). They are flushed and shut down with the provider. Default: none.
   */
  readonly processors?: readonly OtelLogRecordProcessor[]
  /** Find attributes of the resource: objects with `detect()`, as the packages of OpenTelemetry have them. Default: none. */
  readonly detectors?: readonly ResourceDetector[]
  /** How long the first export waits for attributes of the resource that come later, in ms. Default 3,000. */
  readonly resourceTimeoutMillis?: number
  /**
   * How much is kept of large attributes, as OpenTelemetry specifies it: values are cut without a marker, and the body is
   * exempt. `recordBytes` is not OpenTelemetry's: a record over it, body included, is cut with markers, reported as
   * `SLUICE_RECORD_TRUNCATED` and counted in `stats().truncated`. Default: `OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT` and
   * `…_VALUE_LENGTH_LIMIT`, `OTEL_ATTRIBUTE_COUNT_LIMIT` and `…_VALUE_LENGTH_LIMIT`, else 128 attributes of any length, 64
   * levels deep, in `SLUICE_RECORD_BYTES`, else 4,000,000 bytes a record.
   */
  readonly limits?: Limits
  /** What must not be shown. An array means paths. Default: credentials in members named `headers`, nothing else. */
  readonly redact?: Redact
  /** Serializers by top-level key, beside the standard `err`, `req` and `res`. They run before redaction. */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /** Whether records carry the ids of their span. Default true. */
  readonly traceContext?: boolean
  /** Whether what waits is written when the process exits. Default true. */
  readonly handleExit?: boolean
  /** Whether what waits is written on SIGTERM, SIGINT and SIGHUP. Default true; in the profile `lambda` false. */
  readonly handleSignals?: boolean
  /**
   * How long the process may be kept from exiting, in ms, however it exits. An exporter that needs the event loop gets this time at
   * a natural end; what it has not exported then is dropped and counted. Default 2,000; in the profile `lambda` 200.
   */
  readonly exitTimeoutMillis?: number
  /** The time, in ms since the Unix epoch. Default `Date.now`. */
  readonly clock?: () => number
  /** Takes this package's own trouble (ERR3). Default: one line on stderr for each code and minute. */
  readonly onDiagnostic?: OnDiagnostic
  /**
   * Takes metrics of the provider's own pipelines (`otel.sdk.*`): the figures of `stats()`. `'global'` is the MeterProvider
   * that is registered with `@opentelemetry/api`, resolved after the first export for which there is one. Default: none.
   */
  readonly meterProvider?: MeterProvider | 'global'
}
