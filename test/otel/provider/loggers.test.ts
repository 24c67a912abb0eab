import { describe, expect, test } from '@jest/globals'
import { runModule, importOf } from '../../support/processes/child.ts'
import { revoked, thrower } from '../../support/values/hostile.ts'
import { emitting } from './emitting.ts'

// Requirements: API1
test('getLogger returns the identical logger for the same parameters, regardless of attribute order', () => {
  const { provider } = emitting()
  const options = { schemaUrl: 'https://example.com/1', attributes: { a: 1, b: ['x'] } }
  const logger = provider.getLogger('shop', '1.0', options)
  expect(provider.getLogger('shop', '1.0', { ...options, attributes: { b: ['x'], a: 1 } })).toBe(logger)
  expect(provider.getLogger('shop')).toBe(provider.getLogger('shop'))
  const nested = provider.getLogger('shop', '1.0', { attributes: { m: { a: 1, b: [{ c: 1, d: 2 }] } } })
  expect(provider.getLogger('shop', '1.0', { attributes: { m: { b: [{ d: 2, c: 1 }], a: 1 } } })).toBe(nested)
  expect(provider.getLogger('shop', '1.0', { ...options, attributes: {}, scopeAttributes: { a: 9 } })).toBe(
    provider.getLogger('shop', '1.0', { schemaUrl: options.schemaUrl }),
  )
})

// Requirements: API1
test('getLogger returns a different logger when a parameter differs', () => {
  const { provider } = emitting()
  const loggers = [
    provider.getLogger('shop'),
    provider.getLogger('Shop'),
    provider.getLogger('shop', '1'),
    provider.getLogger('shop', undefined, { schemaUrl: '1' }),
    provider.getLogger('shop', undefined, { attributes: { a: 1 } }),
    provider.getLogger('shop', undefined, { attributes: { a: '1' } }),
    provider.getLogger('shop', undefined, { attributes: { a: true } }),
    provider.getLogger('shop', undefined, { attributes: { b: 1 } }),
  ]
  expect(new Set(loggers).size).toBe(loggers.length)
})

// Requirements: SDK1
test('records have the resource and their scope, whose attributes are redacted and limited', () => {
  const { provider, sources } = emitting({
    resource: { 'service.name': 'shop' },
    redact: ['token'],
    limits: { attributes: 2 },
  })
  const attributes = { token: 'secret', place: 'x', more: 1 }
  provider.getLogger('a', '2', { schemaUrl: 'https://example.com/1', attributes }).emit({ body: 'x' })
  provider.getLogger('b').emit({ body: 'x' })
  const [first, second] = sources()
  expect(first).toMatchObject({
    scope: {
      name: 'a',
      version: '2',
      attributes: [
        { key: 'token', value: { stringValue: '[REDACTED]' } },
        { key: 'place', value: { stringValue: 'x' } },
      ],
      droppedAttributesCount: 1,
    },
    scopeSchemaUrl: 'https://example.com/1',
  })
  expect(second!.scope).toEqual({ name: 'b' })
  expect(first!.resource.get('service.name')).toEqual({ stringValue: 'shop' })
})

// Requirements: SDK1
test('two providers in one process are independent', async () => {
  const one = emitting({ resource: { 'service.name': 'one' } })
  const two = emitting({ resource: { 'service.name': 'two' } })
  expect(one.provider.getLogger('a')).not.toBe(two.provider.getLogger('a'))
  await one.provider.shutdown()
  two.provider.getLogger('a').emit({ body: 'still there' })
  expect(one.emitted()).toHaveLength(0)
  expect(two.sources()[0]!.resource.get('service.name')).toEqual({ stringValue: 'two' })
})

// Requirements: SDK2
describe('getLogger with an invalid name', () => {
  test('getLogger returns a working logger for an empty name, and reports the name', () => {
    const { provider, emitted, sources, diagnostics } = emitting()
    provider.getLogger('').emit({ body: 'x' })
    expect([emitted().length, sources()[0]!.scope]).toEqual([1, {}])
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_SCOPE_UNNAMED'])
  })

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['an object', { toString: thrower }],
    ['a revoked proxy', revoked()],
  ])('getLogger returns a working logger when the name is %s, and reports the name', (_, name) => {
    const { provider, emitted, diagnostics } = emitting()
    provider.getLogger(name as string, name as string, name as object).emit({ body: 'x' })
    expect(emitted()).toHaveLength(1)
    expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_SCOPE_UNNAMED'])
  })
})

// Requirements: ERR1, ERR4
test('an option or attribute of a scope whose getter throws does not affect the others', () => {
  const { provider, sources } = emitting()
  const hostile = Object.defineProperty({}, 'schemaUrl', { get: thrower })
  provider.getLogger('a', '1', hostile).emit({ body: 'x' })
  const attributes = Object.defineProperty({}, 'a', { get: thrower, enumerable: true })
  provider.getLogger('b', '1', { attributes }).emit({ body: 'x' })
  expect(sources().map(({ scope }) => scope)).toEqual([
    { name: 'a', version: '1' },
    { name: 'b', version: '1', attributes: [{ key: 'a', value: { stringValue: '[Threw: no]' } }] },
  ])
})

// Requirements: API6
test('getLogger requires only a name, and emit and enabled require no field', () => {
  const { provider, emitted, diagnostics, sources } = emitting()
  for (const logger of [provider.getLogger('a'), provider.getLogger('a', undefined, {}), provider.getLogger('a', '')]) {
    logger.emit({})
    expect([logger.enabled(), logger.enabled({})]).toEqual([true, true])
  }
  expect(diagnostics).toEqual([])
  expect(emitted()).toHaveLength(3)
  for (const { scope, scopeSchemaUrl } of sources()) expect([scope, scopeSchemaUrl]).toEqual([{ name: 'a' }, undefined])
})

test('emit and enabled work without their logger as receiver', () => {
  const { provider, emitted } = emitting()
  const { emit, enabled } = provider.getLogger('a')
  emit({ body: 'x' })
  expect([emitted().length, enabled()]).toEqual([1, true])
})

// Requirements: SDK4, API8
test('after shutdown loggers are no-ops that accept any argument', async () => {
  const { provider, emitted, diagnostics } = emitting()
  const before = provider.getLogger('before')
  await provider.shutdown()
  // After shutdown neither names nor records are checked.
  provider.getLogger(undefined as never)
  const logger = provider.getLogger('')
  for (const record of [{ body: 'x' }, undefined, null, 5, revoked()]) logger.emit(record as object)
  expect([logger.enabled(), logger.enabled({ severityNumber: 24 }), before.enabled()]).toEqual([false, false, false])
  expect([emitted().length, provider.stats().emitted, diagnostics]).toEqual([0, 0, []])
})

test('an unreferenced logger is garbage collected, and a referenced one is not', async () => {
  const program =
    importOf('{ ScopedLoggers }', 'src/otel/provider/scoped-loggers.ts') +
    importOf('{ plainRules }', 'src/encode/plain-data.ts') +
    `const settings = { attachedExporters: [], processors: [], reportDiagnostic() {}, rules: plainRules, resource: { attributes: new Map() }, clock: Date.now, revision: 0 }
     const loggers = new ScopedLoggers(settings)
     const held = loggers.get('held')
     for (let i = 0; i < 2000; i++) loggers.get('scope ' + i)
     const before = loggers.size
     for (let i = 0; i < 20 && loggers.size > 1; i++) {
       gc()
       await new Promise((resolve) => setTimeout(resolve, 10))
     }
     console.log(before, loggers.size, loggers.get('held') === held)`
  const { stdout, stderr } = await runModule(program, { env: { NODE_OPTIONS: '--expose-gc' } })
  expect([stdout, stderr]).toEqual(['2001 1 true\n', ''])
})
