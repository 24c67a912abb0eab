// Logs 2,000 lines with one of several loggers, reports it on standard error and exits: `node other-loggers.ts tslog exit`.
import { configureSync, getConsoleSink, getLogger, jsonLinesFormatter } from '@logtape/logtape'
import { writeSync } from 'node:fs'
import { Logger } from 'tslog'
import { createLogger } from '../../../../src/entries/index.ts'

type Log = (text: string, attributes: Record<string, unknown>) => void

const loggers: Readonly<Record<string, () => Log>> = {
  LogTape: () => {
    const sinks = { console: getConsoleSink({ formatter: jsonLinesFormatter }) }
    configureSync({ sinks, loggers: [{ category: [], sinks: ['console'] }] })
    const log = getLogger('shop')
    return (text, attributes) => log.info(text, attributes)
  },
  tslog: () => {
    const log = new Logger({ type: 'json' })
    return (text, attributes) => log.info(text, attributes)
  },
  sluice: () => createLogger().info,
}
const [, , name, cause] = process.argv
const log = loggers[name!]!()
for (let i = 0; i < 2_000; i++) log('line', { i, text: 'x'.repeat(200) })
writeSync(2, 'logged\n')
if (cause === 'exit') process.exit(0)
process.kill(process.pid, cause)
