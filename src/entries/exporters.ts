export { fdExporter, type FdExporterOptions } from '../exporters/fd/fd-exporter.ts'
export { fileExporter, type FileExporter, type FileExporterOptions } from '../exporters/file/file-exporter.ts'
export type { FileRotation } from '../exporters/rotation/rotation-options.ts'
export type { RotationInterval } from '../exporters/rotation/rotation-period.ts'
export type { ReopenSignal } from '../exporters/rotation/reopen-signals.ts'
export { processExporter, type ProcessExporterOptions } from '../exporters/process/process-exporter.ts'
export { otlpExporter } from '../exporters/otlp/otlp-exporter.ts'
export type { OtlpExporterOptions } from '../exporters/otlp/options.ts'
export type { HeaderOption, HeaderRecord } from '../exporters/otlp/headers.ts'
export type { OtlpTls } from '../exporters/otlp/tls.ts'
export { retry } from '../exporters/retry/retry.ts'
export type { RetryOptions } from '../exporters/retry/retry-options.ts'
export { spool } from '../exporters/spool/spool.ts'
export type { SpoolExporter } from '../exporters/spool/spool-exporter.ts'
export type { SpoolFsync, SpoolOptions } from '../exporters/spool/options.ts'
export type { SpoolStats } from '../exporters/spool/stats.ts'
export {
  memoryExporter,
  type MemoryExporter,
  type MemoryExporterOptions,
  type MemoryRecord,
} from '../exporters/memory/memory-exporter.ts'
export type { Layout } from '../encode/json/layout.ts'
export type { CoreField, LayoutName, LevelForm, TimeForm } from '../encode/json/layout-bases.ts'
export type {
  BatchSource,
  Delivery,
  EncodedBatch,
  Exporter,
  ExporterHost,
  ExportResult,
  OnFull,
  RejectedRecords,
} from '../pipeline/exporter.ts'
export type { AnyValue, AnyValueMap } from '../record/any-value.ts'
export type { Resource, Scope, InstrumentationSource } from '../record/instrumentation-source.ts'
export { jsonLines } from '../encode/json/json-lines.ts'
export type { PrettyOptions } from '../encode/pretty/settings.ts'
export { pretty } from '../exporters/pretty-encoding.ts'
export type { Encoding } from '../encode/encoding.ts'
export type { LineExporterOptions } from '../exporters/line-exporter-options.ts'
