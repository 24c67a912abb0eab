import { fileURLToPath } from 'node:url'
import type { OtlpExporterOptions } from '../../../src/exporters/otlp/options.ts'
import type { ExporterStats, LoggerOptions } from '../../../src/logger/types.ts'
import { runChild, type Ended } from '../../support/processes/child.ts'

/** What the program in exit-program.ts is told. */
export interface ExitPlan {
  readonly url: string
  readonly way: 'end' | 'exit' | 'throw' | 'SIGTERM' | 'fatal' | 'flushSync'
  readonly records: number
  /** How long after the burst it dies, in ms; absent: in the same turn. */
  readonly afterMillis?: number
  readonly logger?: LoggerOptions
  readonly exporter?: OtlpExporterOptions
  /** What kind of function `headers` is. */
  readonly headers?: 'sync' | 'async' | 'slow' | 'never'
  /** Whether it brings an agent. */
  readonly agent?: boolean
  /** The folder of the package, in the form of a URL. */
  readonly from: string
}

/** How a program ended, and the ledger that it had then. */
export interface Death extends Ended {
  readonly ledger: ExporterStats
}

/** The folder of the repository, as a URL. */
export const root: string = new URL('../../../', import.meta.url).href
const program = fileURLToPath(new URL('exit-program.ts', import.meta.url))

/** Runs the program to its end: a thousand records, from the sources, where nothing else is said. */
export async function die(
  given: Partial<ExitPlan> & Pick<ExitPlan, 'way' | 'url'>,
  nodeArgs: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Death> {
  const plan: ExitPlan = { records: 1_000, from: `${root}src/entries`, ...given }
  const ended = await runChild({ args: [...nodeArgs, program, JSON.stringify(plan)], env })
  return { ...ended, ledger: JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) || '{}') as ExporterStats }
}

/** From the last log call to now, ms. */
export function heldSince({ stderr }: Ended): number {
  return Date.now() - Number(/^dying (\d+)$/m.exec(stderr)?.[1])
}
