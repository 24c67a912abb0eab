import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino, transport, type TransportTargetOptions, type TransportThread } from '../../../src/entries/pino.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { Lines, logged } from './support.ts'

/** Matches an error that lists exactly these problems. */
function listing(...problems: readonly (readonly [path: string, message: RegExp])[]): Error {
  return expect.objectContaining({
    code: 'SLUICE_CONFIG',
    problems: problems.map(([path, message]) =>
      expect.objectContaining({ path, message: expect.stringMatching(message) }),
    ),
  }) as unknown as Error
}

const creating = (options: unknown) => (): unknown => pino(options as never, new Lines())

describe('options of the wrong type', () => {
  test('one error lists all options of the wrong type with the expected types', () => {
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
    const expected: [string, RegExp][] = [
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
    expect(creating(options)).toThrow(listing(...expected))
  })

  test.each(['hooks', 'formatters', 'serializers', 'customLevels'])('`%s` must be an object', (name) => {
    expect(creating({ [name]: 5 })).toThrow(listing([name, /an object/]))
    expect(creating({ [name]: [] })).toThrow(listing([name, /an object/]))
  })

  test('falsy options are ignored, as in pino', () => {
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

  test('options that pino does not have are ignored', () => {
    expect(
      creating({ genReqId: 5, autoLogging: {}, stream: 5, hooks: { other: 5 }, formatters: { res: 5 } }),
    ).not.toThrow()
  })
})

test.each([[5], [true], [Symbol('s')], [[]], [() => {}]])('pino() throws when its first argument is %p', (first) => {
  expect(creating(first)).toThrow(listing(['', /an object with options, a stream, or the path of a file/]))
})

test.each([[5], [{}], [true]])('pino() throws when its second argument is %p', (second) => {
  expect(() => pino({}, second as never)).toThrow(listing(['stream', /the method write, or the path of a file/]))
})

describe('options of earlier versions of pino', () => {
  test('options of earlier versions of pino are rejected with their replacements', () => {
    const given = { changeLevelName: 'severity', levelKey: 'l', slowtime: true, extreme: true, prettifier: () => '' }
    expect(creating(given)).toThrow(
      listing(
        ['changeLevelName', /formatters/],
        ['levelKey', /formatters/],
        ['slowtime', /stdTimeFunctions/],
        ['extreme', /pino\.destination/],
        ['prettifier', /pino-pretty/],
      ),
    )
    expect(creating({ slowtime: false, extreme: undefined })).not.toThrow()
  })

  test('`useLevelLabels`, which the tests of pino use, is ignored with a warning', () => {
    const diagnostics: Diagnostic[] = []
    creating({ useLevelLabels: true, onDiagnostic: (diagnostic: Diagnostic) => diagnostics.push(diagnostic) })()
    expect(diagnostics).toEqual([
      { code: 'SLUICE_OPTION_UNSUPPORTED', message: expect.stringMatching(/useLevelLabels.*formatters/) },
    ])
    creating({ useLevelLabels: false, onDiagnostic: (diagnostic: Diagnostic) => diagnostics.push(diagnostic) })()
    expect(diagnostics).toHaveLength(1)
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
  const messagesIn = (name: string): unknown => readFileSync(join(folder, name), 'utf8').match(/(?<="msg":")\w+/g)

  test('an unknown level of a transport target is rejected', () => {
    const targets = [file('good.log', 'info'), file('bad.log', 'INFO')]
    expect(() => transport({ targets })).toThrow(
      listing(['targets[1].level', /unknown level "INFO"; did you mean "info"\?/]),
    )
    expect(creating({ transport: { targets } })).toThrow(listing(['transport.targets[1].level', /customLevels/]))
    const pipeline = [file('x', 'bogus')]
    expect(() => transport({ targets: [{ pipeline, level: 'constructor' }] })).toThrow(
      listing(['targets[0].pipeline[0].level', /levels/], ['targets[0].level', /levels/]),
    )
  })

  test('a target of transport() may name a level of its option `levels`', async () => {
    const to = transport({ targets: [file('audit.log', 'audit'), file('none.log', 'silent')], levels: { audit: 35 } })
    const log = pino({ customLevels: { audit: 35 } }, to)
    log.info('no')
    log.audit('yes')
    to.end()
    await once(to, 'close')
    expect([messagesIn('audit.log'), messagesIn('none.log')]).toEqual([['yes'], null])
  })

  test('a target of the option `transport` may have a custom level of the logger or a number', async () => {
    const targets = [file('audit.log', 'audit'), file('own.log', 'own'), { ...file('fatal.log'), level: 60 as never }]
    const log = pino({ customLevels: { audit: 35 }, transport: { targets, levels: { own: 45 } } })
    log.audit('one')
    log.error('two')
    const to = (log as unknown as Record<symbol, TransportThread>)[pino.symbols.streamSym]!
    to.end()
    await once(to, 'close')
    expect([messagesIn('audit.log'), messagesIn('own.log'), messagesIn('fatal.log')]).toEqual([
      ['one', 'two'],
      ['two'],
      null,
    ])
  })

  test.each<[string, unknown, [string, RegExp]]>([
    ['an empty object', {}, ['transport', /target, targets or pipeline/]],
    ['a string', 'pino-pretty', ['transport', /an object with/]],
    ['an invalid target', { target: 5 }, ['transport.target', /a package, a path/]],
    ['targets that are not an array', { targets: {} }, ['transport.targets', /an array/]],
    [
      'a target without a module',
      { targets: [{ level: 'info' }] },
      ['transport.targets[0].target', /a package, a path/],
    ],
    ['a string in targets', { targets: ['pino/file'] }, ['transport.targets[0]', /an object with/]],
    ['an empty pipeline', { pipeline: [] }, ['transport.pipeline', /an array of targets/]],
  ])('transport options without a valid target are rejected: %s', (_, given, problem) => {
    expect(creating({ transport: given })).toThrow(listing(problem))
    const [path, message] = problem
    expect(() => transport(given as never)).toThrow(listing([path.replace(/^transport\.?/, ''), message]))
  })

  test('invalid transport options are listed together with all other invalid options', () => {
    expect(creating({ transport: { targets: [file('x', 'bogus')] }, onChild: 5, prettyPrint: true })).toThrow(
      listing(['transport.targets[0].level', /./], ['prettyPrint', /pino-pretty/], ['onChild', /a function/]),
    )
  })

  test('the option `transport` and a stream cannot be combined', () => {
    expect(() => pino({ transport: file('x') }, join(folder, 'y'))).toThrow(listing(['transport', /only one of/]))
  })
})
