import { fileURLToPath } from 'node:url'
import type { OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import type { ExporterStats, LoggerOptions } from '../../../src/logger/types.ts'
import { runChild, type ChildResult } from '../../support/processes/child.ts'

/** The argument of the program in exit-program.ts. */
export interface ExitPlan {
  readonly url: string
  readonly way: 'end' | 'exit' | 'throw' | 'SIGTERM' | 'fatal' | 'flushSync'
  readonly records: number
  /** The time from the burst to the exit, in ms. Default: in the same turn. */
  readonly afterMillis?: number
  readonly logger?: LoggerOptions
  readonly exporter?: OtlpExporterOptions
  /** The kind of `headers` function. */
  readonly headers?: 'sync' | 'async' | 'slow' | 'never'
  /** Whether the exporter has an `agent` option. */
  readonly agent?: boolean
  /** The folder of the package, as a URL. */
  readonly from: string
}

/** The exit of a program, with the delivery statistics at that time. */
export interface Death extends ChildResult {
  readonly deliveryStats: ExporterStats
}

/** The folder of the repository, as a URL. */
export const root: string = new URL('../../../', import.meta.url).href
const program = fileURLToPath(new URL('exit-program.ts', import.meta.url))

/** Runs the program until it exits. By default it logs a thousand records with the sources. */
export async function die(
  given: Partial<ExitPlan> & Pick<ExitPlan, 'way' | 'url'>,
  nodeArgs: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Death> {
  const plan: ExitPlan = { records: 1_000, from: `${root}src/entries`, ...given }
  const ended = await runChild({ args: [...nodeArgs, program, JSON.stringify(plan)], env })
  return { ...ended, deliveryStats: JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) || '{}') as ExporterStats }
}

/** The time from the last log call to now, in ms. */
export function heldSince({ stderr }: ChildResult): number {
  return Date.now() - Number(/^dying (\d+)$/m.exec(stderr)?.[1])
}
