export { createLoggerProvider, type LoggerProvider } from './otel/provider.ts'
export type { LoggerProviderOptions } from './otel/provider-options.ts'
export type { ResourceDetector } from './otel/provider-resource.ts'
export type { Registration, RegistrationOutcome } from './otel/globals.ts'
export type { ScopedLogger } from './otel/emit.ts'
export type {
  LoggerConfig,
  LoggerConfigurator,
  LoggerRule,
  LoggerScope,
  LoggerSettings,
  SeverityName,
} from './otel/configurator.ts'
export type {
  EmittedLogRecord,
  EnabledOptions,
  HrTime,
  OtelContext,
  OtelLogger,
  OtelLoggerOptions,
  OtelLoggerProvider,
  OtelResource,
  TimeInput,
} from './otel/types.ts'
