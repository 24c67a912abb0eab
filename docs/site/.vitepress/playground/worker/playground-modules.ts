import * as core from '../../../../../src/entries/core.ts'
import * as handlers from '../../../../../src/entries/handlers.ts'
import { explainRedaction } from '../../../../../src/testing/explain-redaction.ts'
import type { CapturedLoggers } from './captured-loggers.ts'

/** The exports of the modules that a program can import, by the specifier of the module. */
export type PlaygroundModules = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** Returns the modules of the package that do not require Node, with loggers whose records are shown. */
export function playgroundModules({ createLogger }: CapturedLoggers): PlaygroundModules {
  const { ConfigurationError, defineEvent } = core
  const logger = createLogger()
  return new Map<string, Readonly<Record<string, unknown>>>([
    ['sluice', { createLogger, logger, defineEvent, ConfigurationError }],
    ['sluice/core', { ...core, createLogger }],
    ['sluice/handlers', { ...handlers }],
    ['sluice/testing', { explainRedaction }],
  ])
}
