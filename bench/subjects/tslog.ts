import { omit } from './omit.ts'
import { importRival } from './rival.ts'
import { standardOutputDrained } from './standard-output.ts'
import { censor, type Line, type Log, type LogSetup, type Subject } from './subject.ts'

interface Tslog {
  readonly Logger: new (options: object) => TslogLogger
}
interface TslogLogger {
  info(message: string): void
  info(attributes: object, message: string): void
  debug(attributes: object, message: string): void
  getSubLogger(options: object): TslogLogger
  flush(): Promise<void>
}

/** Its lines always say the host and the runtime. Of an error it writes the frames it has read, not the stack. */
export const tslog: Subject = {
  title: "tslog 5.2, type: 'json', time: 'epoch', no numeric level",
  whenFull: 'keeps everything in memory, without a bound',
  open,
  read,
}

async function open({ bound, boundAgain, redact, redactKeys }: LogSetup): Promise<Log> {
  const { Logger } = await importRival<Tslog>('tslog')
  const root = new Logger({
    type: 'json',
    minLevel: 'INFO',
    json: { time: 'epoch', numericLevel: false },
    mask: { placeholder: censor, paths: redact ?? [], keys: redactKeys ?? [] },
  })
  const child = bound === undefined ? root : root.getSubLogger({ bindings: bound })
  const log = boundAgain === undefined ? child : child.getSubLogger({ bindings: boundAgain })
  return {
    text: (message) => log.info(message),
    attributes: (message, attributes) => log.info(attributes, message),
    disabled: (message, attributes) => log.debug(attributes, message),
    async flush() {
      await log.flush()
      await standardOutputDrained()
    },
  }
}

function read({ time, level, message, ...rest }: Readonly<Record<string, unknown>>): Line {
  return { time: Number(time), level: String(level).toLowerCase(), message, attributes: omit(rest, '_logMeta') }
}
