import { expectTypeOf } from 'expect-type'
import winston from 'winston'
import {
  config,
  createLogger,
  format,
  sluiceTransport,
  transports,
  type LeveledLogger,
} from '../../src/entries/winston.ts'

// Transports of this package in a winston logger.
winston.createLogger({ transports: [sluiceTransport(), new transports.Console()] })
winston.createLogger({ format: format.combine(format.timestamp(), format.json()) })
// Formats and transports of winston in a logger of this package.
createLogger({ format: winston.format.json(), transports: [new winston.transports.Console()] })
createLogger({ exceptionHandlers: new winston.transports.Console() })

const log = createLogger()
expectTypeOf(log).toEqualTypeOf<LeveledLogger>()
expectTypeOf(log.info('m', { a: 1 }, 2)).toEqualTypeOf<LeveledLogger>()
expectTypeOf(log.isWarnEnabled()).toBeBoolean()
log.child({ a: 1 }).error(new Error('e'))

const own = createLogger({ levels: { alarm: 0, note: 1 } })
own.alarm('m')
expectTypeOf(own.isAlarmEnabled()).toBeBoolean()
createLogger({ levels: config.syslog.levels }).emerg('m')

// @ts-expect-error unknown option
createLogger({ levle: 'info' })
// @ts-expect-error the option is rejected
export const refused = new transports.Console({ forceConsole: true })
