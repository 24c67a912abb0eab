import type { Subject } from './subject.ts'

/** Loaded on demand: a measured process carries no rival but its own. */
export const subjects = {
  sluice: async () => (await import('./sluice.ts')).sluice,
  baseline: async () => (await import('./sluice.ts')).baseline,
  'sluice-default': async () => (await import('./sluice-default.ts')).sluiceDefault,
  'sluice-block': async () => (await import('./sluice-block.ts')).sluiceBlock,
  'sluice-lambda': async () => (await import('./sluice-lambda.ts')).sluiceLambda,
  'sluice-provider': async () => (await import('./sluice-provider.ts')).sluiceProvider,
  'sluice-patterns': async () => (await import('./sluice-patterns.ts')).sluicePatterns,
  'sluice-otel': async () => (await import('./sluice-layouts.ts')).sluiceOtelLayout,
  'sluice-pino': async () => (await import('./sluice-layouts.ts')).sluicePinoLayout,
  'sluice-gcp': async () => (await import('./sluice-layouts.ts')).sluiceGcpLayout,
  'sluice-ecs': async () => (await import('./sluice-layouts.ts')).sluiceEcsLayout,
  'sluice-datadog': async () => (await import('./sluice-layouts.ts')).sluiceDatadogLayout,
  'sluice-otlp': async () => (await import('./sluice-otlp.ts')).sluiceOtlp,
  'pino-sync': async () => (await import('./pino-sync.ts')).pinoSync,
  'pino-async': async () => (await import('./pino-async.ts')).pinoAsync,
  'pino-buffered': async () => (await import('./pino-buffered.ts')).pinoBuffered,
  'pino-transport': async () => (await import('./pino-transport.ts')).pinoTransport,
  winston: async () => (await import('./winston.ts')).winston,
  'winston-stream': async () => (await import('./winston-stream.ts')).winstonStream,
  bunyan: async () => (await import('./bunyan.ts')).bunyan,
  bole: async () => (await import('./bole.ts')).bole,
  roarr: async () => (await import('./roarr.ts')).roarr,
  tslog: async () => (await import('./tslog.ts')).tslog,
  logtape: async () => (await import('./logtape.ts')).logtape,
  'sdk-logs': async () => (await import('./sdk-logs.ts')).sdkLogs,
  'sdk-logs-default': async () => (await import('./sdk-logs-default.ts')).sdkLogsDefault,
  'sdk-logs-otlp': async () => (await import('./sdk-logs-otlp.ts')).sdkLogsOtlp,
  'otlp-transformer': async () => (await import('./otlp-transformer.ts')).otlpTransformer,
  'log-buffer': async () => (await import('./log-buffer.ts')).logBuffer,
  console: async () => (await import('./console.ts')).consoleLog,
  'fs-stream': async () => (await import('./fs-stream.ts')).fsStream,
  'child-process': async () => (await import('./child-process.ts')).childProcess,
  none: async () => (await import('./none.ts')).none,
  'bound-otlp': async () => (await import('./bound-otlp.ts')).boundOtlp,
  'bound-push': async () => (await import('./bound-push.ts')).boundPush,
  'bound-discard': async () => (await import('./bound-discard.ts')).boundDiscard,
  'bound-text': async () => (await import('./bound-text.ts')).boundText,
  'bound-disabled': async () => (await import('./bound-disabled.ts')).boundDisabled,
  empty: async () => (await import('./empty.ts')).empty,
} as const satisfies Readonly<Record<string, () => Promise<Subject>>>

export type SubjectName = keyof typeof subjects

export const subjectNames = Object.keys(subjects) as readonly SubjectName[]
