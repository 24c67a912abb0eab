import { expect, test } from '@jest/globals'
import { pino } from '../../src/entries/pino.ts'
import { createLogger, Transport, type TransformableInfo } from '../../src/entries/winston.ts'
import { levelControl } from '../../src/level-control/level-control.ts'

// In order: a change is written by the first logger that can write it.

test('a logger with the pino API writes changes, whatever its level, until its stream has ended', () => {
  const lines: string[] = []
  const stream = { writableEnded: false, write: (line: string) => void lines.push(line) }
  const silent = pino({ level: 'silent' }, { write: () => expect('a silent logger').toBe('silent') })
  const log = pino({ level: 'fatal', redact: ['by'], base: null }, stream)
  levelControl().set('db=debug', { by: 'secret', forMillis: 60_000 }).revert()
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 30, event: 'sluice.level_changed', action: 'set', by: '[Redacted]', from: [], to: ['db=debug'] },
    { level: 30, msg: 'log level directives reverted: db=debug', action: 'reverted', from: ['db=debug'], to: [] },
  ])
  stream.writableEnded = true
  levelControl().set('db=debug').revert()
  expect(lines).toHaveLength(2)
  expect([log.level, silent.level]).toEqual(['fatal', 'silent'])
})

test('a logger with the winston API writes changes, whatever its level, until it has no transports', () => {
  const infos: TransformableInfo[] = []
  class KeepingTransport extends Transport {
    override log(info: TransformableInfo, next: () => void): void {
      infos.push(info)
      next()
    }
  }
  const log = createLogger({ level: 'error', redact: ['by'], transports: [new KeepingTransport()] })
  levelControl().set('db=debug', { by: 'secret' }).revert()
  expect(infos).toMatchObject([
    { level: 'info', event: 'sluice.level_changed', action: 'set', by: '[REDACTED]' },
    { level: 'info', message: 'log level directives reverted: db=debug', action: 'reverted' },
  ])
  log.clear()
  levelControl().set('db=debug').revert()
  expect(infos).toHaveLength(2)
})

test('changes have no values of conditions that the rules of the logger redact', () => {
  let text = ''
  const stream = { write: (line: string) => void (text += line) }
  const redact = { paths: ['password', 'user.password', 'by'], patterns: [{ name: 'token', pattern: /^token-[0-9]$/ }] }
  class TextTransport extends Transport {
    override log(info: TransformableInfo, next: () => void): void {
      text += JSON.stringify(info) + '\n'
      next()
    }
  }
  for (const create of [
    () => pino({ redact, name: 'pino' }, stream),
    () => createLogger({ redact, transports: [new TextTransport()] }),
  ]) {
    const log: object = create()
    const directives = '[password=hunter2]=debug,["user.password"="hunter3"]=warn,[a=token-1,b=2]=error'
    levelControl().set(directives, { by: 'secret' }).revert()
    expect(text).toMatch(/REDACTED|Redacted/)
    expect(text).toContain('b=2')
    expect(text).not.toMatch(/hunter|token-|secret/)
    expect(text.split('\n')).toHaveLength(3)
    text = ''
    if ('clear' in log) (log as { clear(): void }).clear()
    else Object.assign(stream, { destroyed: true })
  }
})

test('the level of a logger that directives cannot make less verbose is described', () => {
  const loggers = [pino({ name: 'described' }, { write: () => {} }), createLogger({ level: 'warn' })]
  for (const [directives, forWinston, forPino] of [
    ['*=error', ['warn', 'warn', false], ['info', 'info', false]],
    ['*=debug', ['debug', 'warn', false], ['debug', 'info', false]],
    ['[a=b]=info,*=error', ['warn', 'warn', true], ['info', 'info', false]],
    ['[a=b]=error,*=info', ['info', 'warn', true], ['info', 'info', false]],
  ] as const) {
    using change = levelControl().set(directives)
    expect([change.directives, ...described()]).toEqual([directives, forWinston, forPino])
  }
  expect(loggers).toHaveLength(2)
})

function described(): unknown[] {
  return levelControl()
    .describe()
    .loggers.filter(({ name }) => name === 'described' || name === '')
    .map(({ level, configuredLevel, dependsOnRecord }) => [level, configuredLevel, dependsOnRecord])
}
