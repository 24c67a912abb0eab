import { describe, expect, test } from '@jest/globals'
import * as sdk from '@opentelemetry/resources'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { OtelResource, ReadableLogRecord } from '../../src/otel/api/types.ts'
import type { Exporter } from '../../src/pipeline/exporter.ts'
import { withFlush } from '../../src/create/with-flush.ts'
import { importOf, runModule } from '../support/processes/child.ts'
import { fakeCollector } from '../support/otlp/fake-collector.ts'

/** Exporters, as the expression that creates one. `found(name)` prints the service name of an exported record. */
const printing: Readonly<Record<string, string>> = {
  'an exporter of an SDK': `fromLogRecordExporter({
    export(records, done) { for (const { resource } of records) found(nameOf(resource)); done({ code: 0 }) },
    shutdown: async () => {} })`,
  'an exporter of an SDK that answers later': `fromLogRecordExporter({
    export(records, done) { for (const { resource } of records) found(nameOf(resource)); setTimeout(done, 50, { code: 0 }) },
    shutdown: async () => {} })`,
  'an exporter without exportSync': `own`,
  'retry() around an exporter without exportSync': `retry(own)`,
}
const sending: Readonly<Record<string, (url: string) => string>> = {
  'fetchExporter()': (url) => `fetchExporter({ url: '${url}' })`,
  'otlpExporter()': (url) => `otlpExporter({ url: '${url}', protocol: 'http/json' })`,
}

const owners = {
  'the provider': `createLoggerProvider({ exporter, resource, ...options }).getLogger('a')`,
  'the processor': `new LoggerProvider({ resource, processors: [new PipelineLogRecordProcessor({ exporter, ...options })] }).getLogger('a')`,
}
const ends = {
  'that ends at once': {},
  'that ends after its export has begun': { rest: 'setTimeout(() => {}, 1_200)' },
  'that ends at once, with handleExit: false': { options: 'handleExit: false' },
}
type OwnerName = keyof typeof owners
type EndName = keyof typeof ends
const combinations = (exporters: object) =>
  Object.keys(exporters).flatMap((exporter) =>
    (Object.keys(owners) as OwnerName[]).flatMap((owner) =>
      // Without exit handling, the process waits for the full timeout, so one exporter is enough.
      (Object.keys(ends) as EndName[])
        .filter((end) => !end.includes('handleExit') || exporter === 'an exporter without exportSync')
        .map((end) => [owner, exporter, end] as const),
    ),
  )

function program(owner: OwnerName, exporter: string, end: EndName): string {
  const { rest = '', options = '' }: { rest?: string; options?: string } = ends[end]
  return `
    import { resourceFromAttributes } from '@opentelemetry/resources'
    import { LoggerProvider } from '@opentelemetry/sdk-logs'
    ${importOf('{ fetchExporter }', 'src/entries/core.ts')}
    ${importOf('{ otlpExporter, retry }', 'src/entries/exporters.ts')}
    ${importOf('{ createLoggerProvider, fromLogRecordExporter, PipelineLogRecordProcessor }', 'src/entries/otel.ts')}
    ${importOf('{ otlpEncoding }', 'src/encode/otlp/otlp-request.ts')}
    ${importOf('{ watchAttributes }', 'src/otel/provider/resource-attributes.ts')}
    const found = (name) => console.log('exported', name)
    const nameOf = (resource) => watchAttributes(resource, () => {}).current().get('service.name')
    const own = { name: 'own', encoding: otlpEncoding('http/json'), delivery: {}, async export(batch) {
      found(batch.sources()[0].resource.attributes.get('service.name'))
      return { status: 'accepted' }
    } }
    const resource = resourceFromAttributes({ 'service.name': 'shop', x: new Promise(() => {}) })
    const exporter = ${exporter}
    const options = { onDiagnostic({ code }) { if (code !== 'SLUICE_RESOURCE_PENDING') console.log(code) }, ${options} }
    ${owners[owner]}.emit({ body: 'x' })
    ${rest}`
}

describe('process exit with a pending resource', () => {
  test.concurrent.each(combinations(printing))(
    'a record of %s whose resource is pending is exported by %s in a process %s',
    async (owner, exporter, end) => {
      const { code, stdout } = await runModule(program(owner, printing[exporter]!, end))
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'exported shop\n' })
    },
  )

  test.concurrent.each(combinations(sending))(
    'a record of %s whose resource is pending is sent by %s in a process %s',
    async (owner, exporter, end) => {
      const collector = await fakeCollector()
      try {
        const { code, stdout } = await runModule(program(owner, sending[exporter]!(collector.url), end))
        expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
        expect(collector.received).toHaveLength(1)
        expect(String(collector.received[0]!.body)).toContain('{"key":"service.name","value":{"stringValue":"shop"}}')
      } finally {
        await collector.close()
      }
    },
  )
})

/** Returns an exporter of each kind that adds the service names of exported records to `names`. */
function exportersTo(names: unknown[]): Exporter[] {
  const own: Exporter = {
    name: 'own',
    encoding: otlpEncoding('http/json'),
    delivery: {},
    async export(batch) {
      for (const { resource } of batch.sources()) names.push(resource.attributes.get('service.name'))
      return { status: 'accepted' }
    },
  }
  const official = {
    export(records: readonly ReadableLogRecord[], done: (result: { code: number }) => void) {
      names.push(...records.map(() => 'shop'))
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  return [own, fromLogRecordExporter(official)]
}

const resourceOf = (): OtelResource => sdk.resourceFromAttributes({ 'service.name': 'shop', x: new Promise(() => {}) })

describe('a flush that is shorter than the wait for a pending resource', () => {
  const timeoutMillis = 200

  interface Owner {
    emit(body: string): void
    flush(): Promise<unknown>
    shutdown(): Promise<unknown>
  }
  const ownerFactories: readonly (readonly [string, (exporter: Exporter) => Owner])[] = [
    [
      'the provider',
      (exporter) => {
        const provider = createLoggerProvider({ exporter, resource: resourceOf(), onDiagnostic: () => {} })
        return {
          emit: (body) => provider.getLogger('a').emit({ body }),
          flush: () => provider.forceFlush({ timeoutMillis }),
          shutdown: () => provider.shutdown({ timeoutMillis }),
        }
      },
    ],
    [
      'the processor',
      (exporter) => {
        const processor = new PipelineLogRecordProcessor({ exporter, onDiagnostic: () => {} })
        const resource = resourceOf()
        const record = { hrTime: [1, 0], hrTimeObserved: [1, 0], attributes: {}, droppedAttributesCount: 0 } as const
        return {
          emit: (body) => processor.onEmit({ ...record, body, resource, instrumentationScope: { name: 'a' } } as never),
          flush: () => processor.forceFlush({ timeoutMillis }),
          shutdown: () => processor.shutdown(),
        }
      },
    ],
  ]

  test.each(ownerFactories)(
    'a flush with a timeout shorter than the resource wait exports the records of %s',
    async (_, make) => {
      for (const index of [0, 1]) {
        const names: unknown[] = []
        const owner = make(exportersTo(names)[index]!)
        owner.emit('one')
        owner.emit('two')
        await owner.flush()
        expect(names[0]).toBe('shop')
        await owner.shutdown()
      }
    },
  )

  test.each(ownerFactories)(
    'a flush with a timeout shorter than the resource wait exports several batches of %s',
    async (_, make) => {
      const names: unknown[] = []
      const [own] = exportersTo(names)
      const owner = make({ ...own!, delivery: { maxExportBatchSize: 1 } })
      for (const body of ['one', 'two', 'three']) owner.emit(body)
      await owner.flush()
      expect(names).toEqual(['shop', 'shop', 'shop'])
      await owner.shutdown()
    },
  )

  test.each(ownerFactories)(
    'withFlush() with a timeout shorter than the resource wait exports the records of %s',
    async (_, make) => {
      const names: unknown[] = []
      const owner = make(exportersTo(names)[0]!)
      const handler = withFlush(async () => owner.emit('one'), { timeoutMillis })
      await handler()
      expect(names).toEqual(['shop'])
      await owner.shutdown()
    },
  )

  test('a shutdown with a timeout shorter than the resource wait exports the records of the provider', async () => {
    for (const index of [0, 1]) {
      const names: unknown[] = []
      const owner = ownerFactories[0]![1](exportersTo(names)[index]!)
      owner.emit('one')
      await owner.shutdown()
      expect(names).toEqual(['shop'])
    }
  })
})
