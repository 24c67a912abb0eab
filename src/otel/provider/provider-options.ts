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

/** Options of `createLoggerProvider`. Invalid options throw one `ConfigurationError` that lists all problems. */
export interface LoggerProviderOptions extends LoggerSettings {
  /**
   * The exporters that receive records. Each one has its own queue, level, format and delivery statistics. With an empty array,
   * records go only to `processors`, which receive them before redaction.
   *
   * @defaultValue `fdExporter()`; in the profile `cli`, `fdExporter({ fd: 2 })`
   */
  readonly exporter?: Exporter | readonly Exporter[]
  /**
   * The path of an OpenTelemetry configuration file (`.yaml` or `.yml`), relative to the working directory. It sets `exporter`,
   * `resource`, `detectors`, `limits`, `loggers` and `defaultLogger`; an option that is set here replaces the file's, and each
   * limit separately. With a file, `OTEL_*` variables apply only where the file refers to them. Problems of the file are thrown as a
   * `ConfigurationError` with line and column.
   *
   * @defaultValue none; only `sluice/register` reads `OTEL_CONFIG_FILE`
   */
  readonly configFile?: string
  /**
   * The kind of program, which selects defaults as for `createLogger`.
   *
   * @defaultValue `SLUICE_PROFILE`, else `lambda` in AWS Lambda, else `service`
   */
  readonly profile?: 'service' | 'lambda' | 'cli'
  /**
   * Attributes of the resource, or a resource of `@opentelemetry/resources`. They override `OTEL_SERVICE_NAME` and
   * `OTEL_RESOURCE_ATTRIBUTES`, which override detected attributes.
   *
   * @defaultValue those of the environment and of `detectors`
   */
  readonly resource?: ResourceAttributes | OtelResource
  /**
   * Processors of OpenTelemetry's SDK, of either generation, such as one that copies baggage. Each record passes through them in
   * this order, and their changes are exported. They are flushed and shut down with the provider.
   *
   * @defaultValue none
   */
  readonly processors?: readonly OtelLogRecordProcessor[]
  /**
   * Resource detectors: objects with `detect()`, as OpenTelemetry's packages provide them.
   *
   * @defaultValue none
   */
  readonly detectors?: readonly ResourceDetector[]
  /**
   * The maximum time that the first export waits for asynchronous resource attributes, in ms.
   *
   * @defaultValue 3,000
   */
  readonly resourceTimeoutMillis?: number
  /**
   * The limits of records, as OpenTelemetry specifies them: attribute values are truncated without a marker, and the body is
   * exempt. `recordBytes` is specific to this package: a larger record, body included, is truncated with markers, reported as
   * `SLUICE_RECORD_TRUNCATED` and counted in `stats().truncated`.
   *
   * @defaultValue `OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT` and `…_VALUE_LENGTH_LIMIT`, else `OTEL_ATTRIBUTE_COUNT_LIMIT` and
   * `…_VALUE_LENGTH_LIMIT`, else 128 attributes of any length; 64 levels of nesting; `SLUICE_RECORD_BYTES`, else 4,000,000 bytes a
   * record
   */
  readonly limits?: Limits
  /**
   * The values to redact. An array is shorthand for `{ paths: [...] }`.
   *
   * @defaultValue credentials in members named `headers`
   */
  readonly redact?: Redact
  /**
   * Serializers by top-level key, in addition to the standard `err`, `req` and `res`. They run before redaction.
   *
   * @defaultValue the standard ones
   */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /**
   * Entries of baggage that are copied to attributes: names, or beginnings of names that end with `*`, such as `user.*`. They come
   * from the record's context. An attribute of the record overrides an entry with the same name. Processors receive them.
   *
   * @defaultValue none
   */
  readonly baggage?: readonly string[]
  /**
   * Whether records include the trace and span ID of their span.
   *
   * @defaultValue true
   */
  readonly traceContext?: boolean
  /**
   * Whether queued records are flushed when the process exits.
   *
   * @defaultValue true
   */
  readonly handleExit?: boolean
  /**
   * Whether queued records are flushed on SIGTERM, SIGINT and SIGHUP.
   *
   * @defaultValue true; in the profile `lambda`, false
   */
  readonly handleSignals?: boolean
  /**
   * The maximum time that flushing delays the exit of the process, however it exits, in ms. On a natural exit, an exporter that
   * needs the event loop gets this time too; records that it has not exported by then are dropped and counted.
   *
   * @defaultValue 2,000; in the profile `lambda`, 200
   */
  readonly exitTimeoutMillis?: number
  /**
   * Returns the current time in ms since the Unix epoch.
   *
   * @defaultValue `Date.now`
   */
  readonly clock?: () => number
  /**
   * Receives diagnostics of this package.
   *
   * @defaultValue one line on stderr per code and minute
   */
  readonly onDiagnostic?: OnDiagnostic
  /**
   * Receives metrics of the provider's pipelines (`otel.sdk.*`): the numbers of `stats()`. `'global'` is the MeterProvider that is
   * registered with `@opentelemetry/api`; it is looked up after each export until one is registered.
   *
   * @defaultValue none
   */
  readonly meterProvider?: MeterProvider | 'global'
}
