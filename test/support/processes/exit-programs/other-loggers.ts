// Logs 2,000 lines by one of several loggers, says so, and ends: `node originals.ts tslog exit`.
import { configureSync, getConsoleSink, getLogger, jsonLinesFormatter } from '@logtape/logtape'
import { writeSync } from 'node:fs'
import { Logger } from 'tslog'
import { createLogger } from '../../../../src/entries/index.ts'

type Say = (text: string, attributes: Record<string, unknown>) => void

const loggers: Readonly<Record<string, () => Say>> = {
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
const [, , name, way] = process.argv
const say = loggers[name!]!()
for (let i = 0; i < 2_000; i++) say('line', { i, text: 'x'.repeat(200) })
writeSync(2, 'said\n')
if (way === 'exit') process.exit(0)
process.kill(process.pid, way)
