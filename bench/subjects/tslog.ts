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

/** The lines of tslog always contain the host name and the runtime. For an error, it writes parsed frames and not the stack. */
export const tslog: Subject = {
  title: "tslog 5.2, type: 'json', time: 'epoch', no numeric level",
  whenFull: 'keeps everything in memory, without a limit',
  open,
  read,
}

async function open({ bound, nestedBound, redact, redactKeys }: LogSetup): Promise<Log> {
  const { Logger } = await importRival<Tslog>('tslog')
  const root = new Logger({
    type: 'json',
    minLevel: 'INFO',
    json: { time: 'epoch', numericLevel: false },
    mask: { placeholder: censor, paths: redact ?? [], keys: redactKeys ?? [] },
  })
  const child = bound === undefined ? root : root.getSubLogger({ bindings: bound })
  const log = nestedBound === undefined ? child : child.getSubLogger({ bindings: nestedBound })
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
