import { describe, expect, test } from '@jest/globals'
import { emitting, type AnyValue } from '../provider/emitting.ts'

const long = 'x'.repeat(40)

/** A value that exceeds each limit: characters, bytes, keys at each level and depth. */
const large = {
  text: long,
  bytes: new Uint8Array(40),
  list: [long, [long, [long, [new Uint8Array(40)]]]],
  map: { in: { in: { in: { in: { text: long } } } } },
  ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, index])),
}

/** Returns the complete OTLP/JSON form of a value. */
function whole(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: String(value) }
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(whole) } }
  return {
    kvlistValue: { values: Object.entries(value as object).map(([key, each]) => ({ key, value: whole(each) })) },
  }
}

const narrow = { attributes: 1, stringLength: 4, depth: 1 }

describe.each([true, false])('exemptions from attribute limits, with one exporter: %s', (alone) => {
  // Requirements: LIM7
  test.each<[string, unknown]>([
    ['a string', long],
    ['bytes', new Uint8Array(40)],
    ['an array', large.list],
    ['a map', large],
  ])('a body that is %s is not truncated, while an attribute with the same value is', (_, body) => {
    const { provider, emitted } = emitting({ limits: narrow }, alone)
    provider.getLogger('a').emit({ body, attributes: { same: body, surplus: 1 } })
    const [record] = emitted()
    expect(record!.body).toEqual(whole(body))
    expect(record!.attributes.get('same')).not.toEqual(whole(body))
    expect(record!.droppedAttributesCount).toBe(1)
  })

  // Requirements: LIM7
  test('a body that exceeds the depth limit is not truncated', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 60; level++) deep = { in: deep }
    const { provider, emitted } = emitting({ limits: { depth: 8 } }, alone)
    provider.getLogger('a').emit({ body: { deep, large }, attributes: { deep } })
    expect(emitted()[0]!.body).toEqual(whole({ deep, large }))
    expect(emitted()[0]!.attributes.get('deep')).not.toEqual(whole(deep))
  })

  // Requirements: LIM7
  test('a body that a processor sets is not truncated', () => {
    const setting = { onEmit: (record: { body?: unknown }) => void (record.body = large), shutdown: async () => {} }
    const { provider, emitted } = emitting({ limits: narrow, processors: [setting] }, alone)
    provider.getLogger('a').emit({ body: 'x' })
    expect(emitted()[0]!.body).toEqual(whole(large))
  })

  // Requirements: LIM7
  test('resource attributes are neither dropped nor truncated', () => {
    const resource = {
      'service.name': long,
      list: [long, long],
      flag: true,
      ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, index])),
    }
    const { provider, sources } = emitting({ limits: narrow, resource: { attributes: resource } }, alone)
    provider.getLogger('a').emit({ attributes: { a: long, b: long } })
    const found = sources()[0]!.resource
    for (const [name, value] of Object.entries(resource)) {
      expect([name, found.get(name)]).toEqual([name, value === true ? { boolValue: true } : whole(value)])
    }
  })

  // Requirements: LIM7, ENV14
  test('limits from environment variables do not apply to the body and the resource', () => {
    const variables = { OTEL_ATTRIBUTE_COUNT_LIMIT: '1', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4' }
    Object.assign(process.env, variables)
    try {
      const { provider, emitted, sources } = emitting({ resource: { 'service.name': long, other: long } }, alone)
      provider.getLogger('a').emit({ body: large, attributes: { a: long, b: long } })
      expect(emitted()[0]!.body).toEqual(whole(large))
      expect([...emitted()[0]!.attributes]).toEqual([['a', { stringValue: 'xxxx' }]])
      expect(sources()[0]!.resource.get('other')).toEqual({ stringValue: long })
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name]
    }
  })
})
