// Checked by the compiler only: a RootLogger can be the `loggerInstance` of fastify. The types of fastify 5 and pino 10 are copied
// here, so that neither package is needed.
import type { Logger, RootLogger } from '../../src/logger/types.ts'

type Placeholders<T, Found extends unknown[] = []> = T extends `${string}%${infer P}${infer Rest}`
  ? P extends 'd' | 's' | 'j' | 'o' | 'O'
    ? Placeholders<Rest, [...Found, P extends 'd' ? number : P extends 's' ? unknown : object | null]>
    : Placeholders<Rest, Found>
  : Found

interface PinoLogFn {
  <M extends string = string>(message: M, ...args: Placeholders<M>): void
  <T, M extends string = string>(value: T, message?: T extends string ? never : M, ...args: Placeholders<M> | []): void
  <T, M extends string = string>(
    value: T,
    message?: T extends string ? never : M,
    ...args: Placeholders<M> extends [unknown, ...unknown[]] ? Placeholders<M> : unknown[]
  ): void
}

interface PinoChildOptions {
  level?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | (string & {})
  serializers?: { [key: string]: (value: any) => any } // oxlint-disable-line typescript/no-explicit-any
  customLevels?: { [level in never]: number }
  formatters?: {
    level?: (label: string, number: number) => object
    bindings?: (bindings: Record<string, unknown>) => object
    log?: (object: object) => object
  }
  redact?:
    | string[]
    | { paths: string[]; censor?: string | ((value: unknown, path: string[]) => unknown); remove?: boolean }
  msgPrefix?: string
}

interface FastifyBaseLogger {
  level: string
  fatal: PinoLogFn
  error: PinoLogFn
  warn: PinoLogFn
  info: PinoLogFn
  debug: PinoLogFn
  trace: PinoLogFn
  silent: PinoLogFn
  child(bindings: Record<string, unknown>, options?: PinoChildOptions): FastifyBaseLogger
}

declare const root: RootLogger
declare const custom: RootLogger<{ orderId?: string }, 'notice'>
declare const child: Logger

export const instances: readonly FastifyBaseLogger[] = [root, custom, child]
