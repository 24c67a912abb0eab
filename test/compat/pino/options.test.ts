import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino, transport, type TransportTargetOptions, type TransportThread } from '../../../src/entries/pino.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { Lines, logged } from './support.ts'

/** An error that lists these problems, and no others. */
function listing(...problems: readonly (readonly [path: string, said: RegExp])[]): Error {
  return expect.objectContaining({
    code: 'SLUICE_CONFIG',
    problems: problems.map(([path, said]) => expect.objectContaining({ path, message: expect.stringMatching(said) })),
  }) as unknown as Error
}

const made = (options: unknown) => (): unknown => pino(options as never, new Lines())

describe('options of the wrong type', () => {
  test('are listed, all at once, with what they must be', () => {
    const options = {
      mixin: 5,
      base: 5,
      customLevels: { audit: '35' },
      depthLimit: 'deep',
      edgeLimit: 0,
      errorKey: 5,
      formatters: { bindings: 5, level: 5, log: 5 },
      hooks: { logMethod: 5, streamWrite: 5 },
      messageKey: 5,
      mixinMergeStrategy: 5,
      nestedKey: 5,
      onChild: 5,
      onDiagnostic: 5,
      serializers: { a: 5 },
      timestamp: {},
    }
    const places: [string, RegExp][] = [
      ['mixin', /expected "function"/],
      ['base', /an object/],
      ['customLevels.audit', /the number/],
      ['depthLimit', /an integer/],
      ['edgeLimit', /an integer/],
      ['errorKey', /a string/],
      ['formatters.bindings', /a function/],
      ['formatters.level', /a function/],
      ['formatters.log', /a function/],
      ['hooks.logMethod', /a function/],
      ['hooks.streamWrite', /a function/],
      ['messageKey', /a string/],
      ['mixinMergeStrategy', /a function/],
      ['nestedKey', /a string/],
      ['onChild', /a function/],
      ['onDiagnostic', /a function/],
      ['serializers.a', /a function/],
      ['timestamp', /true, false, or a function/],
    ]
    expect(made(options)).toThrow(listing(...places))
  })

  test.each(['hooks', 'formatters', 'serializers', 'customLevels'])('%s is an object', (name) => {
    expect(made({ [name]: 5 })).toThrow(listing([name, /an object/]))
    expect(made({ [name]: [] })).toThrow(listing([name, /an object/]))
  })

  test('are no options that are not given, which pino tells by their being falsy', () => {
    const { log, kept } = logged({
      mixin: null,
      mixinMergeStrategy: undefined,
      nestedKey: null,
      onChild: null,
      customLevels: null,
      serializers: { a: null, err: undefined },
      formatters: { level: undefined, bindings: undefined, log: false },
      hooks: { logMethod: false, streamWrite: null },
      timestamp: null,
    } as never)
    log.child({ b: 1 }).info({ a: 1 }, 'm')
    expect(kept.last).toEqual({ level: 30, b: 1, a: 1, msg: 'm' })
  })

  test('are looked for among the options that there are: what others put into the same object is theirs', () => {
    expect(made({ genReqId: 5, autoLogging: {}, stream: 5, hooks: { other: 5 }, formatters: { res: 5 } })).not.toThrow()
  })
})

test.each([[5], [true], [Symbol('s')], [[]], [() => {}]])('pino(%p) has no options', (first) => {
  expect(made(first)).toThrow(listing(['', /an object with options, a stream, or the path of a file/]))
})

test.each([[5], [{}], [true]])('pino({}, %p) has no stream', (second) => {
  expect(() => pino({}, second as never)).toThrow(listing(['stream', /a method write, or the path of a file/]))
})

describe('options of earlier versions of pino', () => {
  test('are refused with what does it now', () => {
    const given = { changeLevelName: 'severity', levelKey: 'l', slowtime: true, extreme: true, prettifier: () => '' }
    expect(made(given)).toThrow(
      listing(
        ['changeLevelName', /formatters/],
        ['levelKey', /formatters/],
        ['slowtime', /stdTimeFunctions/],
        ['extreme', /pino\.destination/],
        ['prettifier', /pino-pretty/],
      ),
    )
    expect(made({ slowtime: false, extreme: undefined })).not.toThrow()
  })

  test('are told where the tests of pino have one of them', () => {
    const told: Diagnostic[] = []
    made({ useLevelLabels: true, onDiagnostic: (problem: Diagnostic) => told.push(problem) })()
    expect(told).toEqual([
      { code: 'SLUICE_OPTION_UNSUPPORTED', message: expect.stringMatching(/useLevelLabels.*formatters/) },
    ])
    made({ useLevelLabels: false, onDiagnostic: (problem: Diagnostic) => told.push(problem) })()
    expect(told).toHaveLength(1)
  })
})

describe('options of a transport', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-transport-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const file = (name: string, level?: string): TransportTargetOptions => ({
    target: 'pino/file',
    options: { destination: join(folder, name) },
    ...(level === undefined ? {} : { level }),
  })
  const said = (name: string): unknown => readFileSync(join(folder, name), 'utf8').match(/(?<="msg":")\w+/g)

  test('name levels that there are: one that there is not would take the lines of all targets', () => {
    const targets = [file('good.log', 'info'), file('bad.log', 'INFO')]
    expect(() => transport({ targets })).toThrow(listing(['targets[1].level', /trace, .*fatal, silent, or a number/]))
    expect(made({ transport: { targets } })).toThrow(listing(['transport.targets[1].level', /customLevels/]))
    const pipeline = [file('x', 'bogus')]
    expect(() => transport({ targets: [{ pipeline, level: 'constructor' }] })).toThrow(
      listing(['targets[0].pipeline[0].level', /levels/], ['targets[0].level', /levels/]),
    )
  })

  test('may name levels of a logger, or of their own', async () => {
    const to = transport({ targets: [file('audit.log', 'audit'), file('none.log', 'silent')], levels: { audit: 35 } })
    const log = pino({ customLevels: { audit: 35 } }, to)
    log.info('no')
    log.audit('yes')
    to.end()
    await once(to, 'close')
    expect([said('audit.log'), said('none.log')]).toEqual([['yes'], null])
  })

  test('are known by their logger: its customLevels, and numbers', async () => {
    const targets = [file('audit.log', 'audit'), file('own.log', 'own'), { ...file('fatal.log'), level: 60 as never }]
    const log = pino({ customLevels: { audit: 35 }, transport: { targets, levels: { own: 45 } } })
    log.audit('one')
    log.error('two')
    const to = (log as unknown as Record<symbol, TransportThread>)[pino.symbols.streamSym]!
    to.end()
    await once(to, 'close')
    expect([said('audit.log'), said('own.log'), said('fatal.log')]).toEqual([['one', 'two'], ['two'], null])
  })

  test.each<[string, unknown, [string, RegExp]]>([
    ['nothing', {}, ['transport', /a module as target, or targets, or pipeline/]],
    ['a word', 'pino-pretty', ['transport', /an object with/]],
    ['a target that is none', { target: 5 }, ['transport.target', /a package, a path/]],
    ['targets that are no list', { targets: {} }, ['transport.targets', /an array/]],
    [
      'a target without a module',
      { targets: [{ level: 'info' }] },
      ['transport.targets[0].target', /a package, a path/],
    ],
    ['a word among targets', { targets: ['pino/file'] }, ['transport.targets[0]', /an object with/]],
    ['a pipeline of nothing', { pipeline: [] }, ['transport.pipeline', /an array of targets/]],
  ])('say where lines go: %s', (_, given, problem) => {
    expect(made({ transport: given })).toThrow(listing(problem))
    const [path, said] = problem
    expect(() => transport(given as never)).toThrow(listing([path.replace(/^transport\.?/, ''), said]))
  })

  test('are listed with what else is wrong, before a thread is started', () => {
    expect(made({ transport: { targets: [file('x', 'bogus')] }, onChild: 5, prettyPrint: true })).toThrow(
      listing(['transport.targets[0].level', /./], ['prettyPrint', /pino-pretty/], ['onChild', /a function/]),
    )
  })

  test('stand in place of a stream', () => {
    expect(() => pino({ transport: file('x') }, join(folder, 'y'))).toThrow(listing(['transport', /only one of/]))
  })
})
