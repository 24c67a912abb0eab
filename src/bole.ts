import { makeLogger } from './bridges/bole/logger.ts'
import { levels, openOutputs, registry } from './bridges/bole/outputs.ts'
import type { Bole, OutputOptions } from './bridges/bole/types.ts'
import { logRecords, type LogRecords } from './bridges/log-records.ts'
import { createLogger } from './create-logger.ts'

export type { Bole, BoleLogger, Level, LogMethod, OutputOptions, OutputStream } from './bridges/bole/types.ts'

/**
 * Makes loggers with bole's interface, whose lines are bole's byte for byte, where those are valid JSON that says each name once.
 * Until there is an output, nothing is logged.
 */
const bole: Bole = Object.assign((name: string) => makeLogger(name), { output, reset, setFastTime, flush })

export default bole

function output(options: OutputOptions | readonly OutputOptions[]): Bole {
  openOutputs(options, recordsOf)
  return bole
}

function recordsOf({ exporter, redact, onProblem }: OutputOptions): LogRecords | undefined {
  if (exporter === undefined) return undefined
  return logRecords(
    createLogger({
      level: 'trace',
      exporter,
      ...(redact === undefined ? {} : { redact }),
      ...(onProblem === undefined ? {} : { onProblem }),
    }),
  )
}

function reset(): Bole {
  const shared = registry()
  for (const level of levels) shared.outputs[level].length = 0
  shared.fastTime = false
  return bole
}

function setFastTime(fast = true): Bole {
  registry().fastTime = fast
  return bole
}

async function flush(): Promise<void> {
  const outputs = new Set(Object.values(registry().outputs).flat())
  await Promise.all(
    [...outputs].map(async ({ stream, records }) => {
      if (stream?.writeRecord !== undefined) await new Promise<void>((done) => stream.flush!(() => done()))
      await records?.flush()
    }),
  )
}
