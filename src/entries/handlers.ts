export { budget, type BudgetOptions, type BytesByLevel } from '../handlers/budget.ts'
export { compose } from '../handlers/compose.ts'
export { dedupe, type DedupeOptions } from '../handlers/dedupe.ts'
export { limit, type LimitOptions } from '../handlers/limit.ts'
export type { AttributeKey, RecordKey } from '../handlers/record-key.ts'
export { route } from '../handlers/route.ts'
export { sampleByTrace, type SampleByTraceOptions } from '../handlers/sample-by-trace.ts'
export { tee } from '../handlers/tee.ts'
export type { KeepLevelOption } from '../handlers/volume-options.ts'
export type {
  CreateHandler,
  FilterCounter,
  HandledRecord,
  Handler,
  HandlerHost,
  NewRecord,
  RecordOrigin,
} from '../handler/handler.ts'
export type { AnyValue, AnyValueMap } from '../record/any-value.ts'
export type { StandardLevel } from '../record/severity.ts'
export type { SpanContext } from '../record/span.ts'
