import type { Logger as PinosLogger } from 'pino'
// oxlint-disable import/no-named-as-default-member, import/no-named-as-default -- as users of pino write it
import { expectTypeOf } from 'expect-type'
import pino, { destination, type Logger, type LoggerOptions } from '../../src/entries/pino.ts'
import { otlpExporter } from '../../src/entries/exporters.ts'

const log: Logger = pino({ level: 'debug', redact: ['a.b'], base: null })
log.info('text')
log.info({ a: 1 }, 'text')
log.info('%s took %d ms', 'job', 3)
log.error(new Error('no'), 'failed')
log.error(null, 'nothing')
// @ts-expect-error -- %d takes a number
log.info('%d', 'three')

const custom = pino({ customLevels: { notice: 35 } }, destination({ dest: 1, sync: true }))
custom.notice('heard')
// @ts-expect-error -- unknown level
custom.shout('heard')

expectTypeOf(log.child({ a: 1 }, { msgPrefix: '[x] ' })).toEqualTypeOf<Logger>()
expectTypeOf<pino.Logger>().toEqualTypeOf<Logger>()
expectTypeOf(pino.pino).toEqualTypeOf(pino)
const options: pino.LoggerOptions = {
  mixin: (fields, level) => ({ fields, level }),
  transport: { target: 'pino/file' },
}
expectTypeOf(options).toEqualTypeOf<LoggerOptions>()
pino(pino.multistream([{ level: 'error', stream: process.stderr }, process.stdout]))
pino({ exporter: otlpExporter(), serializers: pino.stdSerializers, timestamp: pino.stdTimeFunctions.isoTime })
log.on('level-change', (label, value) => {
  expectTypeOf(label).toBeString()
  expectTypeOf(value).toBeNumber()
})

// A logger is assignable to the type of a pino logger.
const asPinos: PinosLogger = pino()
const toFile: PinosLogger = pino({ level: 'debug' }, pino.destination(1))
const withLevel: PinosLogger<'audit'> = pino({ customLevels: { audit: 35 } })
void [asPinos, toFile, withLevel]

// Augmentations of pino's LogFnFields also apply to this entry.
declare module '../../src/entries/pino.ts' {
  interface LogFnFields {
    onlyText?: string
  }
}
log.info({ onlyText: 'x' })
// @ts-expect-error -- it is declared as a string
log.info({ onlyText: 1 })
