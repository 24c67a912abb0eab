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

// Requirements: ENV5, ENV13
test.each([
  ['0', 0],
  ['250', 250],
  ['', undefined],
])(
  'OTEL_BLRP_EXPORT_TIMEOUT=%j gives the exporter of a provider from the environment an export timeout of %p',
  async (value, expected) => {
    const reportDiagnostic = jest.fn()
    const provider = providerFromEnvironment(reportDiagnostic, { OTEL_BLRP_EXPORT_TIMEOUT: value })!
    expect(created.splice(0).map(({ delivery }) => delivery.exportTimeoutMillis)).toEqual([expected])
    expect(reportDiagnostic).not.toHaveBeenCalled()
    await provider.shutdown()
  },
)

// Requirements: ENV5
test.each([
  ['0', 0],
  ['250', 250],
  ['', 10_000],
])('OTEL_EXPORTER_OTLP_TIMEOUT=%j and its logs variant set a request timeout of %p ms', (value, expected) => {
  for (const name of ['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_LOGS_TIMEOUT'])
    expect(otlpSettings({}, { [name]: value }).timeoutMillis).toBe(expected)
})
