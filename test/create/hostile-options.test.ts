import { afterAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { revoked } from '../support/values/hostile.ts'

const optionNames = `name version level levels types attributes enrich handler messagePrefix serializers redact limits resource
  traceContext traceBased provider exporter handleExit handleSignals exitTimeoutMillis clock onDiagnostic meterProvider profile`
const childOptionNames = 'name version level messagePrefix serializers redact limits context'

const proxies: readonly (readonly [string, () => unknown])[] = [
  ['object', () => revoked()],
  ['array', () => revoked([])],
  ['function', () => revoked(() => {})],
]

const parent = createLogger({ exporter: memoryExporter(), handleExit: false })
afterAll(() => parent.shutdown())

/** What a call throws other than a ConfigurationError. */
function otherError(create: () => unknown): unknown {
  try {
    create()
    return undefined
  } catch (error) {
    return error instanceof ConfigurationError ? undefined : error
  }
}

describe.each(proxies)('a revoked proxy (%s) is refused with a ConfigurationError or ignored', (_, proxy) => {
  test('as the options of createLogger()', () => {
    expect(() => createLogger(proxy() as object)).toThrow(ConfigurationError)
  })

  test.each(optionNames.split(/\s+/))('as the option %s of createLogger()', (name) => {
    const others = name === 'exporter' ? {} : { exporter: memoryExporter() }
    expect(otherError(() => createLogger({ ...others, handleExit: false, [name]: proxy() }))).toBeUndefined()
  })

  test.each(['paths', 'keys', 'patterns', 'censor', 'remove'])('as redact.%s', (name) => {
    expect(otherError(() => createLogger({ exporter: memoryExporter(), redact: { [name]: proxy() } }))).toBeUndefined()
  })

  test('as the options of child()', () => {
    expect(() => parent.child({}, proxy() as object)).toThrow(ConfigurationError)
  })

  test.each(childOptionNames.split(' '))('as the option %s of child()', (name) => {
    expect(otherError(() => parent.child({}, { [name]: proxy() }))).toBeUndefined()
  })
})
