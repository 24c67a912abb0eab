import * as fc from 'fast-check'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { OtelResource, ReadableLogRecord } from '../../../src/otel/api/types.ts'
import { decodeRequest } from '../../support/otlp/messages.ts'
import { expectBalanced } from './expect-balanced.ts'
import { recordKeeper } from './outputs.ts'
import { target, type Target } from './target.ts'

const key = fc.constantFrom('service.name', 'k0', 'k1', 'k2', 'k3')
const attribute = fc.record({
  key,
  value: fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' }),
  is: fc.constantFrom('known', 'late', 'never', 'rejected'),
})
type Attribute = typeof attribute extends fc.Arbitrary<infer A> ? A : never

const input = fc.record({
  attributes: fc.uniqueArray(attribute, { selector: (one) => one.key }),
  /** Attributes of lower precedence, with which the others are merged. */
  defaults: fc.uniqueArray(fc.record({ key, value: fc.constant('default') }), { selector: (one) => one.key }),
  part: fc.constantFrom('provider', 'processor'),
  protocol: fc.constantFrom('http/json' as const, 'http/protobuf' as const),
  /** Whether the resource timeout expires before any attribute settles. */
  expired: fc.boolean(),
})

/** Resource attributes that settle late, never, or reject, in any order: each record has those known when it is written. */
export const pendingResources: Target<unknown> = target('pending-resources', input, async (given) => {
  const { attributes, defaults, part, protocol, expired } = given
  const pending = new Map(
    attributes.filter(({ is }) => is !== 'known').map((one) => [one, Promise.withResolvers<string>()]),
  )
  const own = attributes.map((one) => [one.key, pending.get(one)?.promise ?? one.value] as const)
  const base = resourceFromAttributes(Object.fromEntries(defaults.map((one) => [one.key, one.value])))
  const resource = base.merge(resourceFromAttributes(Object.fromEntries(own))) as OtelResource

  const keeper = recordKeeper(otlpEncoding(protocol))
  const { write, end } = (part === 'provider' ? providerOf : processorOf)(resource, keeper)
  const known = new Map<string, string>(defaults.map((one) => [one.key, one.value]))
  const expectKnown = (): void => {
    write()
    const sent = attributesIn(keeper.kept.at(-1)!.request!, protocol)
    for (const name of ['service.name', 'k0', 'k1', 'k2', 'k3']) {
      // The provider sets a default service name.
      if (part === 'provider' && name === 'service.name' && !known.has(name)) continue
      if (sent.get(name) !== known.get(name))
        throw new Error(`${name} is ${JSON.stringify(sent.get(name))}, known is ${JSON.stringify(known.get(name))}`)
    }
  }
  for (const one of attributes) if (one.is === 'known') known.set(one.key, one.value)
  expectKnown()
  if (expired) await new Promise((resolve) => setTimeout(resolve, 2))
  for (const [one, { resolve, reject }] of pending) {
    settle(one, resolve, reject)
    await new Promise((done) => setImmediate(done))
    if (one.is === 'late') known.set(one.key, one.value)
    expectKnown()
  }
  await end()
})

function settle({ is, value }: Attribute, resolve: (value: string) => void, reject: (reason: Error) => void): void {
  if (is === 'late') resolve(value)
  else if (is === 'rejected') reject(new Error('no'))
}

type Keeper = ReturnType<typeof recordKeeper>

function providerOf(resource: OtelResource, exporter: Keeper) {
  const provider = createLoggerProvider({
    resource,
    exporter,
    resourceTimeoutMillis: 1,
    handleExit: false,
    onDiagnostic() {},
  })
  return {
    write() {
      provider.getLogger('a').emit({ body: 'x' })
      provider.flushSync()
    },
    async end() {
      await provider.shutdown()
      expectBalanced(provider.stats())
    },
  }
}

function processorOf(resource: OtelResource, exporter: Keeper) {
  const processor = new PipelineLogRecordProcessor({
    exporter,
    maxQueueSize: 2,
    exportTimeoutMillis: 10,
    handleExit: false,
    onDiagnostic() {},
  })
  const record: ReadableLogRecord = {
    hrTime: [1, 0],
    hrTimeObserved: [1, 0],
    body: 'x',
    attributes: {},
    droppedAttributesCount: 0,
    resource,
    instrumentationScope: { name: 'a' },
  }
  return {
    write() {
      // A full queue is drained synchronously.
      for (let count = 0; count < 3; count++) processor.onEmit(record)
    },
    async end() {
      await processor.shutdown()
      expectBalanced(processor.stats())
    },
  }
}

function attributesIn(request: Uint8Array, protocol: 'http/json' | 'http/protobuf'): Map<string, unknown> {
  const read = protocol === 'http/json' ? JSON.parse(Buffer.from(request).toString()) : decodeRequest(request)
  const attributes: { readonly key: string; readonly value: object }[] = read.resourceLogs[0].resource.attributes ?? []
  return new Map(attributes.map(({ key: name, value }) => [name, Object.values(value)[0]]))
}
