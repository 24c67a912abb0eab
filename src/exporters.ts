export { fdExporter, type FdExporterOptions } from './export/fd.ts'
export { fileExporter, type FileExporter, type FileExporterOptions } from './export/file.ts'
export type { FileRotation } from './export/rotation/rotation-options.ts'
export type { RotationInterval } from './export/rotation/rotation-period.ts'
export type { ReopenSignal } from './export/rotation/reopen-signals.ts'
export { processExporter, type ProcessExporterOptions } from './export/process.ts'
export { otlpExporter } from './export/otlp.ts'
export type { OtlpExporterOptions } from './export/otlp/options.ts'
export type { HeaderOption, HeaderRecord } from './export/otlp/headers.ts'
export type { OtlpTls } from './export/otlp/tls.ts'
export { retry } from './export/retry.ts'
export type { RetryOptions } from './export/retry/retrying.ts'
export { spool, type SpoolExporter } from './export/spool.ts'
export type { SpoolFsync, SpoolOptions } from './export/spool/options.ts'
export type { SpoolStats } from './export/spool/stats.ts'
export { memoryExporter, type MemoryExporter, type MemoryExporterOptions, type MemoryRecord } from './export/memory.ts'
export type { Layout } from './encode/layout.ts'
export type { CoreField, LayoutName, LevelForm, TimeForm } from './encode/layout-bases.ts'
export type {
  BatchSource,
  Delivery,
  EncodedBatch,
  Exporter,
  ExporterHost,
  ExportResult,
  OnFull,
  Refused,
} from './pipeline/exporter.ts'
export type { AnyValue, AnyValueMap } from './record/any-value.ts'
export type { Resource, Scope, Source } from './record/record.ts'
export { jsonLines } from './encode/json-lines.ts'
export { pretty } from './encode/pretty.ts'
export type { Encoding } from './encode/encoding.ts'
export type { Written } from './export/written.ts'
