import { afterEach, describe, expect, test } from '@jest/globals'
import { context, propagation, trace } from '@opentelemetry/api'
import { levelControl, type LevelChange } from '../../../src/level-control/level-control.ts'
import type { ScopedLogger } from '../../../src/otel/api/scoped-logger.ts'
import type { OtelContext } from '../../../src/otel/api/types.ts'
import { emitting as createEmitting, type Emitting } from './emitting.ts'

const changes: LevelChange[] = []
const set = (directives: string): LevelChange => {
  const change = levelControl().set(directives)
  changes.push(change)
  return change
}
/** Creates a provider until the end of the test. */
const emitting: typeof createEmitting = (...options) => {
  const created = createEmitting(...options)
  providers.push(created)
  return created
}
const providers: Emitting[] = []

afterEach(async () => {
  for (const change of changes.splice(0)) change.revert()
  await Promise.all(providers.splice(0).map(({ provider }) => provider.shutdown()))
})

/** Returns the lowest severity number that is enabled, and checks that exactly these records are emitted. */
function lowestSeverity(logger: ScopedLogger, given?: unknown): number | undefined {
  const options = given === undefined ? {} : { context: given as OtelContext }
  return [1, 5, 9, 13, 17, 21].find((severityNumber) => logger.enabled({ severityNumber, ...options }))
}

describe('configure with directives', () => {
  test('sets the minimum severity of scopes by name, and of all others', () => {
    const { provider, emitted } = emitting()
    const [app, db] = ['app', 'db.pool'].map((name) => provider.getLogger(name))
    provider.configure('warn,db.*=debug')
    expect([app, db].map((logger) => lowestSeverity(logger!))).toEqual([13, 5])
    for (const logger of [app, db])
      for (const severityNumber of [1, 5, 9, 13]) logger!.emit({ severityNumber, body: 'x' })
    expect(emitted().map(({ severityNumber }) => severityNumber)).toEqual([13, 5, 9, 13])
    // Records without a severity are always logged.
    app!.emit({ body: 'x' })
    expect(emitted()).toHaveLength(5)
    expect(provider.stats().exporters[0]).toMatchObject({ emitted: 9, accepted: 5, filtered: 4 })
    provider.configure({})
    expect([app, db].map((logger) => lowestSeverity(logger!))).toEqual([1, 1])
  })

  test('sets levels for the attributes of a scope, and for the span and baggage of a context', () => {
    const { provider } = emitting()
    const scoped = provider.getLogger('app', '1', { attributes: { tenant: 'acme' } })
    const plain = provider.getLogger('app')
    const traceId = 'a'.repeat(32)
    provider.configure(`error,[tenant=acme]=debug,[trace_id=${traceId}]=info,[user=7]=warn`)
    const withSpan = trace.setSpanContext(context.active(), { traceId, spanId: 'b'.repeat(16), traceFlags: 1 })
    const withUser = propagation.setBaggage(context.active(), propagation.createBaggage({ user: { value: '7' } }))
    expect([lowestSeverity(scoped), lowestSeverity(plain)]).toEqual([5, 17])
    expect([lowestSeverity(plain, withSpan), lowestSeverity(plain, withUser)]).toEqual([9, 13])
  })

  test('disables all loggers with silent', () => {
    const { provider, emitted } = emitting()
    provider.configure('silent')
    provider.getLogger('app').emit({ severityNumber: 21, body: 'x' })
    expect(emitted()).toEqual([])
    expect(provider.getLogger('app').enabled()).toBe(false)
  })

  test.each<[unknown, RegExp]>([
    ['db=deb', /configure: directives at 3: unknown level "deb".*\n {2}db=deb\n {5}\^/],
    ['', /is empty/],
    ['[a=b', /"\[" is not closed/],
  ])('throws for %j, and changes nothing', (directives, message) => {
    const { provider } = emitting()
    provider.configure('warn')
    expect(() => provider.configure(directives as string)).toThrow(message)
    expect(lowestSeverity(provider.getLogger('app'))).toBe(13)
  })
})

describe('directives of levelControl', () => {
  test('override the configuration of a provider, until they are reverted', () => {
    const { provider } = emitting({ defaultLogger: { minimumSeverity: 'warn' } })
    const logger = provider.getLogger('db')
    const change = set('db=trace')
    expect(lowestSeverity(logger)).toBe(1)
    change.revert()
    expect(lowestSeverity(logger)).toBe(13)
  })

  test('do not enable loggers that the configuration disables', () => {
    const { provider } = emitting({ defaultLogger: { enabled: false } })
    set('trace')
    expect(lowestSeverity(provider.getLogger('db'))).toBeUndefined()
  })

  test('are reported by the provider if there is no other logger', async () => {
    const { provider, emitted } = emitting()
    set('db=trace')
    expect(emitted().map(({ eventName }) => eventName)).toEqual(['sluice.level_changed'])
    await provider.shutdown()
  })
})
