import { afterAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { revoked } from '../support/values/hostile.ts'

const optionNames = `baggage name version level levels types attributes enrich handler messagePrefix serializers redact limits resource
  traceContext traceBased provider exporter handleExit handleSignals exitTimeoutMillis clock onDiagnostic meterProvider profile`
const childOptionNames = 'name version level messagePrefix serializers redact limits context'

const proxies: readonly (readonly [string, () => unknown])[] = [
  ['object', () => revoked()],
  ['array', () => revoked([])],
  ['function', () => revoked(() => {})],
]

const parent = createLogger({ exporter: memoryExporter(), handleExit: false })
afterAll(() => parent.shutdown())

/** Returns what a call throws, unless it is a ConfigurationError. */
function otherError(create: () => unknown): unknown {
  try {
    create()
    return undefined
  } catch (error) {
    return error instanceof ConfigurationError ? undefined : error
  }
}

describe.each(proxies)('revoked proxies (%s)', (_, proxy) => {
  test('createLogger() throws a ConfigurationError when its options are a revoked proxy', () => {
    expect(() => createLogger(proxy() as object)).toThrow(ConfigurationError)
  })

  test.each(optionNames.split(/\s+/))('createLogger() rejects or ignores a revoked proxy as the option %s', (name) => {
    const others = name === 'exporter' ? {} : { exporter: memoryExporter() }
    expect(otherError(() => createLogger({ ...others, handleExit: false, [name]: proxy() }))).toBeUndefined()
  })

  test.each(['paths', 'keys', 'patterns', 'censor', 'remove'])('a revoked redact.%s is rejected or ignored', (name) => {
    expect(otherError(() => createLogger({ exporter: memoryExporter(), redact: { [name]: proxy() } }))).toBeUndefined()
  })

  test('child() throws a ConfigurationError when its options are a revoked proxy', () => {
    expect(() => parent.child({}, proxy() as object)).toThrow(ConfigurationError)
  })

  test.each(childOptionNames.split(' '))('child() rejects or ignores a revoked proxy as the option %s', (name) => {
    expect(otherError(() => parent.child({}, { [name]: proxy() }))).toBeUndefined()
  })
})
