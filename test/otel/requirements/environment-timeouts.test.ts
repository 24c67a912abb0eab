import { expect, jest, test } from '@jest/globals'
import { otlpSettings } from '../../../src/exporters/otlp/options.ts'
import * as otlp from '../../../src/exporters/otlp/otlp-exporter.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'

const created: Exporter[] = []
jest.unstable_mockModule('../../../src/exporters/otlp/otlp-exporter.ts', () => ({
  ...otlp,
  otlpExporter: (options: Parameters<typeof otlp.otlpExporter>[0]) => {
    const exporter = otlp.otlpExporter(options)
    created.push(exporter)
    return exporter
  },
}))
const { providerFromEnvironment } = await import('../../../src/otel/provider/provider-environment.ts')

test.each([
  ['0', 0],
  ['250', 250],
  ['', undefined],
])(
  'the exporter of a provider from the environment has an export timeout of %j as %p (ENV5, ENV13)',
  async (value, expected) => {
    const tell = jest.fn()
    const provider = providerFromEnvironment(tell, { OTEL_BLRP_EXPORT_TIMEOUT: value })!
    expect(created.splice(0).map(({ delivery }) => delivery.exportTimeoutMillis)).toEqual([expected])
    expect(tell).not.toHaveBeenCalled()
    await provider.shutdown()
  },
)

test.each([
  ['0', 0],
  ['250', 250],
  ['', 10_000],
])('a request has a timeout of %j as %p ms (ENV5)', (value, expected) => {
  for (const name of ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_LOGS_TIMEOUT'])
    expect(otlpSettings({}, { [name]: value }).timeoutMillis).toBe(expected)
})
