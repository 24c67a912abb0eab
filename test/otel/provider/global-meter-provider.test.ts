import { afterEach, describe, expect, test } from '@jest/globals'
import { metrics } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { AcceptingExporter } from '../../support/pipeline/exporters.ts'

class Reader extends MetricReader {
  async onForceFlush() {}
  async onShutdown() {}

  async sums(): Promise<Record<string, unknown>> {
    const { resourceMetrics } = await this.collect()
    const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
    return Object.fromEntries(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0]?.value]))
  }
}

afterEach(() => metrics.disable())

function registered(): Reader {
  const reader = new Reader()
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  return reader
}

const created = 'otel.sdk.log.created'

// Requirements: ENV26
describe("meterProvider: 'global'", () => {
  test("meterProvider: 'global' uses a MeterProvider that was registered before", async () => {
    const reader = registered()
    const provider = createLoggerProvider({ exporter: new AcceptingExporter(), meterProvider: 'global' })
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    expect(await reader.sums()).toMatchObject({ [created]: 1, 'otel.sdk.exporter.log.exported': 1 })
    await provider.shutdown()
    expect(await reader.sums()).toMatchObject({ [created]: 1 })
  })

  test("meterProvider: 'global' reports earlier counts to a MeterProvider that is registered later", async () => {
    const provider = createLoggerProvider({ exporter: new AcceptingExporter(), meterProvider: 'global' })
    for (let i = 0; i < 3; i++) provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    const reader = registered()
    expect(await reader.sums()).toEqual({})
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    const sums = await reader.sums()
    expect(sums).toMatchObject({ [created]: 4, 'otel.sdk.exporter.log.exported': 4 })
    expect(sums['otel.sdk.exporter.operation.duration']).toMatchObject({ count: 1 })
    await provider.shutdown()
  })

  test("meterProvider: 'global' uses a MeterProvider that is registered right before the shutdown", async () => {
    const provider = createLoggerProvider({ exporter: new AcceptingExporter(), meterProvider: 'global' })
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    const reader = registered()
    await provider.shutdown()
    expect(await reader.sums()).toMatchObject({ [created]: 1 })
  })

  test("meterProvider: 'global' has no effect without a registered MeterProvider", async () => {
    const provider = createLoggerProvider({ exporter: new AcceptingExporter(), meterProvider: 'global' })
    provider.getLogger('a').emit({ body: 'x' })
    expect(await provider.shutdown()).toMatchObject({ ok: true })
  })
})

test('createLoggerProvider rejects a meterProvider that is another string', () => {
  expect(() => createLoggerProvider({ meterProvider: 'world' as never })).toThrow(/meterProvider/)
})
