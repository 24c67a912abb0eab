import { describe, expect, test } from '@jest/globals'
import * as front from '../../../src/entries/winston.ts'
import { config, Container, createLogger, format } from '../../../src/entries/winston.ts'
import { infoKeeper } from './info-keeper.ts'

describe('levels', () => {
  test('a transport’s own level wins over the logger’s, and both may change', () => {
    const [quiet, loud] = [infoKeeper({ level: 'error' }), infoKeeper()]
    const log = createLogger({ transports: [quiet.transport, loud.transport] })
    log.info('1')
    log.level = 'debug'
    log.debug('2')
    quiet.transport.level = 'debug'
    log.debug('3')
    expect([quiet.infos.length, loud.infos.length]).toEqual([1, 3])
  })

  test('each has a method and one that asks, also for levels of one’s own', () => {
    const keeper = infoKeeper()
    const log = createLogger({ levels: { alarm: 0, note: 1, chat: 2 }, level: 'note', transports: keeper.transport })
    log.alarm('a')
    log.note('b')
    log.chat('c')
    expect(keeper.infos.map(({ level }) => level)).toEqual(['alarm', 'note'])
    expect([log.isAlarmEnabled(), log.isChatEnabled(), log.isLevelEnabled('note'), log.isLevelEnabled('none')]).toEqual(
      [true, false, true, false],
    )
  })

  test('those of syslog and cli are there by name', () => {
    const keeper = infoKeeper()
    const log = createLogger({ levels: config.syslog.levels, level: 'debug', transports: keeper.transport })
    log.emerg('a')
    log.notice('b')
    expect(keeper.lines()).toEqual(['{"level":"emerg","message":"a"}', '{"level":"notice","message":"b"}'])
    expect(Object.keys(config.cli.levels)).toContain('prompt')
  })

  test('one that there is not is refused at a transport, too', () => {
    const given = { transports: [infoKeeper().transport, infoKeeper({ level: 'http' }).transport] }
    const only = { exceptionHandlers: infoKeeper({ level: 'warn' }).transport }
    expect(createLogger(given).isHttpEnabled()).toBe(true)
    expect(() => createLogger({ ...given, ...only, levels: config.syslog.levels })).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'transports[1].level' }),
          expect.objectContaining({ code: 'SLUICE_LEVEL_UNKNOWN', path: 'exceptionHandlers.level' }),
        ],
      }),
    )
  })

  test('an unknown one is told, and a format does not run for what nobody takes', () => {
    const problems: string[] = []
    let formatted = 0
    const log = createLogger({
      format: format((info) => {
        formatted++
        return info
      })(),
      transports: infoKeeper().transport,
      onDiagnostic: ({ code }) => problems.push(code),
    })
    log.debug('not enabled')
    log.log('shout', 'm')
    expect(formatted).toBe(0)
    expect(problems).toEqual(['SLUICE_LEVEL_UNKNOWN'])
  })
})

describe('a logger', () => {
  test('its methods return it, and work taken off it', () => {
    const keeper = infoKeeper()
    const log = createLogger({ transports: keeper.transport })
    expect(log.info('a').warn('b').log('error', 'c')).toBe(log)
    const { info } = log
    info('d')
    expect(keeper.infos.map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a child says more, and its own child more again; the nearer wins', () => {
    const keeper = infoKeeper()
    const log = createLogger({ transports: keeper.transport })
    log.child({ a: 1, b: 1 }).child({ b: 2 }).info('m', { c: 3 })
    expect(keeper.lines()).toEqual(['{"a":1,"b":2,"c":3,"level":"info","message":"m"}'])
  })

  test('add, remove, clear and configure', () => {
    const [first, second] = [infoKeeper(), infoKeeper()]
    const problems: string[] = []
    const log = createLogger({ transports: first.transport, onDiagnostic: ({ code }) => problems.push(code) })
    log.add(second.transport).info('both')
    expect(log.transports).toEqual([first.transport, second.transport])
    log.remove(first.transport).info('second')
    expect(log.clear().transports).toEqual([])
    log.info('nobody')
    expect(problems).toEqual(['SLUICE_TRANSPORT_MISSING'])
    log.configure({ level: 'debug', transports: first.transport })
    log.debug('first')
    expect([first.infos.length, second.infos.length]).toEqual([2, 2])
  })

  test('silent writes nothing', () => {
    const keeper = infoKeeper()
    const log = createLogger({ silent: true, transports: keeper.transport })
    log.error('no')
    log.silent = false
    log.error('yes')
    expect(keeper.infos).toHaveLength(1)
  })

  test('profile and startTimer log how long it took', () => {
    const keeper = infoKeeper()
    const log = createLogger({ level: 'debug', transports: keeper.transport })
    log.profile('job')
    log.profile('job', { level: 'debug', message: 'done' })
    log.startTimer().done({ message: 'timed' })
    expect(keeper.infos).toEqual([
      expect.objectContaining({ level: 'debug', message: 'done', durationMs: expect.any(Number) }),
      expect.objectContaining({ level: 'info', message: 'timed', durationMs: expect.any(Number) }),
    ])
  })

  test('who listens to data and logged hears of it, and a logging listener ends nothing', async () => {
    const keeper = infoKeeper()
    const log = createLogger({ transports: keeper.transport })
    const heard: unknown[] = []
    log.on('data', (info: { message: string }) => heard.push(info.message))
    log.info('m')
    expect(heard).toEqual(['m'])
  })
})

test('a container makes each logger once, and forgets it when it is closed', () => {
  const container = new Container({ transports: infoKeeper().transport })
  const log = container.get('a', { level: 'debug' })
  expect(container.add('a')).toBe(log)
  expect(log.level).toBe('debug')
  container.close('a')
  expect(container.has('a')).toBe(false)
})

test('the logger of the module has no transports until it is given some', () => {
  const keeper = infoKeeper()
  front.add(keeper.transport)
  front.info('m', { a: 1 })
  front.configure({ level: 'debug', transports: keeper.transport })
  front.debug('n')
  front.clear()
  expect(keeper.lines()).toEqual(['{"a":1,"level":"info","message":"m"}', '{"level":"debug","message":"n"}'])
})

test('the module’s own logger hears of what nobody caught once it is told to, also after it was configured anew', () => {
  const keeper = infoKeeper()
  const before = process.listenerCount('uncaughtException')
  front.configure({ level: 'info' })
  front.exceptions.handle(keeper.transport)
  front.rejections.handle(keeper.transport)
  expect(process.listenerCount('uncaughtException')).toBe(before + 1)
  front.exceptions.unhandle()
  front.rejections.unhandle()
  expect(process.listenerCount('uncaughtException')).toBe(before)
})

test('an Error beside a message has the members that it had, listed where they were', () => {
  const keeper = infoKeeper()
  const log = createLogger({ transports: keeper.transport })
  const members = { name: 'CardError', type: 'card_error', stacktrace: 'theirs', cause: { code: 7 } }
  log.error('failed', { err: Object.assign(new Error('declined'), members) })
  log.error('failed', { err: new Error('declined', { cause: { code: 7 } }) })
  const [first, second] = keeper.infos.map((info) => info['err'] as Error)
  expect(new Map(Object.entries(first!))).toEqual(new Map(Object.entries(members)))
  expect(first).toMatchObject({ message: 'declined', stack: expect.stringContaining('declined') })
  expect([Object.keys(second!), second!.cause]).toEqual([[], { code: 7 }])
})

test('a long text is whole, whatever stands beside it, and as long as a limit says where one is set', () => {
  const long = 'y'.repeat(500_000)
  const keeper = infoKeeper()
  const log = createLogger({ transports: keeper.transport })
  log.info(long)
  log.info(long, { o: {} })
  log.info('m', { o: { long } })
  const cut = infoKeeper()
  createLogger({ transports: cut.transport, limits: { stringLength: 10 } }).info(long, { o: {} })
  expect(keeper.lines().map((line) => line.includes(long))).toEqual([true, true, true])
  expect(cut.lines()).toEqual(['{"level":"info","message":"yyyyyyyyyy…[+499990 characters]","o":{}}'])
})

test('a transport that is a handler of exceptions as well tells an error once, and may be let go and taken back', () => {
  const keeper = infoKeeper()
  const log = createLogger({ transports: keeper.transport, exceptionHandlers: keeper.transport })
  const errors: unknown[] = []
  log.on('error', (error) => errors.push(error))
  keeper.transport.emit('error', new Error('full'))
  expect(errors).toHaveLength(1)
  log.remove(keeper.transport)
  expect(keeper.transport.listenerCount('error')).toBe(0)
  log.exceptions.handle(keeper.transport)
  log.rejections.handle(keeper.transport)
  keeper.transport.emit('error', new Error('full'))
  expect(errors).toHaveLength(2)
  log.close()
})
