import { afterEach, describe, expect, test } from '@jest/globals'
import { metrics } from '@opentelemetry/api'
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import { TakingExporter } from '../../support/pipeline/exporters.ts'

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

describe("meterProvider: 'global' is the registered MeterProvider (ENV26)", () => {
  test('when it was registered before', async () => {
    const reader = registered()
    const provider = createLoggerProvider({ exporter: new TakingExporter(), meterProvider: 'global' })
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    expect(await reader.sums()).toMatchObject({ [created]: 1, 'otel.sdk.exporter.log.exported': 1 })
    await provider.shutdown()
    expect(await reader.sums()).toMatchObject({ [created]: 1 })
  })

  test('when it is registered later, with all that was counted before', async () => {
    const provider = createLoggerProvider({ exporter: new TakingExporter(), meterProvider: 'global' })
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

  test('when it is registered right before the provider is shut down', async () => {
    const provider = createLoggerProvider({ exporter: new TakingExporter(), meterProvider: 'global' })
    provider.getLogger('a').emit({ body: 'x' })
    await provider.forceFlush()
    const reader = registered()
    await provider.shutdown()
    expect(await reader.sums()).toMatchObject({ [created]: 1 })
  })

  test('and without one nothing happens', async () => {
    const provider = createLoggerProvider({ exporter: new TakingExporter(), meterProvider: 'global' })
    provider.getLogger('a').emit({ body: 'x' })
    expect(await provider.shutdown()).toMatchObject({ ok: true })
  })
})

test('another word is refused', () => {
  expect(() => createLoggerProvider({ meterProvider: 'world' as never })).toThrow(/meterProvider/)
})
