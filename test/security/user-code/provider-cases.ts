import { memoryExporter } from '../../../src/entries/exporters.ts'
import { createLogger } from '../../../src/entries/index.ts'
import { createLoggerProvider, PipelineLogRecordProcessor } from '../../../src/entries/otel.ts'
import { messagesOf, otelRecord, withProvider, type Hook, type CallbackCase } from './harness.ts'

/** Creates exporters for successive loggers, and returns the records of all of them. */
function memories() {
  const all: ReturnType<typeof memoryExporter>[] = []
  return {
    create() {
      const memory = memoryExporter()
      all.push(memory)
      return memory
    },
    arrived: () => messagesOf(all.flatMap(({ records }) => records.map((record) => JSON.stringify(record)))),
  }
}

/** A logger with a custom LoggerProvider that has the hook as a method. */
const inFrontOf = (method: 'getLogger' | 'emit' | 'enabled') => ({
  build(hook: Hook) {
    const bodies: string[] = []
    const own = {
      emit: ({ body }: { body?: unknown }) => {
        bodies.push(String(body))
        return method === 'emit' ? hook() : undefined
      },
      enabled: () => (method === 'enabled' ? hook() : true),
    }
    const provider: any = { getLogger: () => (method === 'getLogger' ? hook(own) : own) }
    let logger = createLogger({ provider, onDiagnostic() {} })
    return {
      use(message: string) {
        if (method === 'getLogger') logger = createLogger({ provider, onDiagnostic() {} })
        logger.info(message)
      },
      arrived: () => messagesOf(bodies),
      log: (message: string) => logger.warn(message),
    }
  },
})

/** A custom MeterProvider with the hook as a method; observable instruments are read after each record. */
function meterOf(method: string, hook: Hook): { provider: any; collect(): void } {
  const callbacks = new Set<(result: object) => unknown>()
  const call = (name: string, usual: () => unknown) => (name === method ? hook(usual()) : usual())
  const observable = {
    addCallback: (callback: (result: object) => unknown) => call('addCallback', () => void callbacks.add(callback)),
  }
  const meter = {
    createObservableCounter: () => call('createObservableCounter', () => observable),
    createObservableUpDownCounter: () => call('createObservableUpDownCounter', () => observable),
    createHistogram: () => call('createHistogram', () => ({ record: () => call('record', () => undefined) })),
  }
  const result = { observe: () => call('observe', () => undefined) }
  return {
    provider: { getMeter: () => call('getMeter', () => meter) },
    collect: () => callbacks.forEach((callback) => callback(result)),
  }
}

const measured = (method: string) => ({
  returns: (usual: unknown) => usual,
  build(hook: Hook) {
    const { create, arrived } = memories()
    const { provider, collect } = meterOf(method, hook)
    return {
      async use(message: string) {
        const logger = createLogger({ exporter: create(), meterProvider: provider, onDiagnostic() {} })
        logger.info(message)
        await logger.flush()
        collect()
        await logger.shutdown()
      },
      arrived,
    }
  },
})

/** A provider with a resource from the hook. */
const withResource = (optionsOf: (hook: Hook) => object) => ({
  returns: () => ({ attributes: { a: 'b' } }),
  build(hook: Hook) {
    const { create, arrived } = memories()
    return {
      async use(message: string) {
        const provider = createLoggerProvider({
          exporter: create(),
          resourceTimeoutMillis: 20,
          onDiagnostic() {},
          ...optionsOf(hook),
        })
        provider.getLogger('a').emit({ body: message, severityNumber: 9 })
        await provider.forceFlush()
      },
      arrived,
    }
  },
})

/** The global object on which `@opentelemetry/api` registers. */
const apiKey = Symbol.for('opentelemetry.js.api.1')
const onEmit = (): void => {}
const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }

/** A logger and a provider that log while a context manager with the hook as a method is registered. */
const inContext = (method: 'active' | 'getValue' | 'spanContext') => ({
  returns: (usual: unknown) => usual,
  build(hook: Hook) {
    const { create, arrived } = memories()
    const call = (name: string, usual: unknown) => (name === method ? hook(usual) : usual)
    const span = { spanContext: () => call('spanContext', { ...ids }) }
    const context = { getValue: () => call('getValue', span) }
    const manager = { active: () => call('active', context) }
    const lifecycle = { forceFlush: async () => {}, shutdown: async () => {} }
    const logger = createLogger({ exporter: create(), onDiagnostic() {} })
    const settings = { exporter: create(), onDiagnostic() {} }
    const provider = createLoggerProvider({ ...settings, processors: [{ onEmit, enabled: () => true, ...lifecycle }] })
    const child = logger.child({}, { context })
    return {
      async use(message: string) {
        const globals = globalThis as unknown as Record<symbol, unknown>
        globals[apiKey] = { context: manager }
        try {
          logger.info(message)
          child.info(message)
          provider.getLogger('a').enabled()
          provider.getLogger('a').emit({ body: message, severityNumber: 9 })
          provider.getLogger('a').emit({ body: message, severityNumber: 9, context: context as never })
        } finally {
          delete globals[apiKey]
        }
        await Promise.all([logger.flush(), provider.forceFlush()])
      },
      arrived,
    }
  },
})

/** A resource with pending attributes from the hook. */
const withRawAttributes = (attributesOf: (hook: Hook) => unknown) => ({
  ...withResource((hook) => ({
    resource: {
      attributes: {},
      asyncAttributesPending: true,
      waitForAsyncAttributes: async () => {},
      getRawAttributes: () => attributesOf(hook),
    },
  })),
  returns: () => [['a', 'b']],
})

/** Returns the result of a function, or undefined if it throws. */
function valueOf(hook: Hook): unknown {
  try {
    return hook()
  } catch {
    return undefined
  }
}

/** Callbacks of custom providers and resources. */
export const providerCases: readonly CallbackCase[] = [
  {
    name: 'provider getLogger',
    members: ['AnyLoggerProvider.getLogger'],
    returns: (logger: unknown) => logger,
    ...inFrontOf('getLogger'),
  },
  { name: 'provider logger emit', members: ['AnyLoggerProvider.getLogger().emit'], ...inFrontOf('emit') },
  { name: 'provider logger enabled', members: [], returns: () => true, ...inFrontOf('enabled') },
  { name: 'meterProvider getMeter', members: ['MeterProvider.getMeter'], ...measured('getMeter') },
  {
    name: 'meter createObservableCounter',
    members: ['Meter.createObservableCounter'],
    ...measured('createObservableCounter'),
  },
  {
    name: 'meter createObservableUpDownCounter',
    members: ['Meter.createObservableUpDownCounter'],
    ...measured('createObservableUpDownCounter'),
  },
  { name: 'meter createHistogram', members: ['Meter.createHistogram'], ...measured('createHistogram') },
  { name: 'instrument addCallback', members: ['ObservableInstrument.addCallback'], ...measured('addCallback') },
  { name: 'instrument observe', members: ['ObservableResult.observe'], ...measured('observe') },
  { name: 'instrument record', members: ['Histogram.record'], ...measured('record') },
  {
    name: 'resource detector',
    members: ['ResourceDetector.detect'],
    ...withResource((detect) => ({ detectors: [{ detect }] })),
  },
  {
    name: 'resource waitForAsyncAttributes',
    members: ['OtelResource.waitForAsyncAttributes'],
    ...withResource((hook) => ({
      resource: { attributes: { a: 'b' }, asyncAttributesPending: true, waitForAsyncAttributes: hook },
    })),
  },
  {
    name: 'resource attribute that is a promise',
    members: [],
    ...withResource((hook) => ({ resource: { attributes: { a: valueOf(hook) } } })),
  },
  { name: 'resource getRawAttributes', members: [], ...withRawAttributes((hook) => hook()) },
  {
    name: 'resource getRawAttributes, a promise in it',
    members: [],
    ...withRawAttributes((hook) => [['a', valueOf(hook)]]),
  },
  { name: 'context manager active', members: [], ...inContext('active') },
  { name: 'context getValue', members: [], ...inContext('getValue') },
  { name: 'span spanContext', members: [], ...inContext('spanContext') },
  {
    name: 'spanContext of a record of an SDK',
    members: [],
    build(hook) {
      const { create, arrived } = memories()
      const processor = new PipelineLogRecordProcessor({ exporter: create(), onDiagnostic() {} })
      return {
        async use(message) {
          processor.onEmit(Object.defineProperty(otelRecord(message), 'spanContext', { get: hook }))
          await processor.forceFlush()
        },
        arrived,
      }
    },
  },
  {
    name: 'provider serializers',
    members: ['LoggerProviderOptions.serializers'],
    returns: () => 'v',
    build(hook) {
      const memory = memoryExporter()
      const provider = createLoggerProvider({ exporter: memory, serializers: { a: hook }, onDiagnostic() {} })
      return {
        async use(message) {
          provider.getLogger('a').emit({ body: message, attributes: { a: 1 } })
          await provider.forceFlush()
        },
        arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
      }
    },
  },
  {
    name: 'processor serializers',
    members: ['SdkRecordOptions.serializers'],
    returns: () => 'v',
    build(hook) {
      const memory = memoryExporter()
      const processor = new PipelineLogRecordProcessor({
        exporter: memory,
        serializers: { a: hook },
        onDiagnostic() {},
      })
      return {
        async use(message) {
          processor.onEmit({ ...otelRecord(message), attributes: { a: 1 } })
          await processor.forceFlush()
        },
        arrived: () => messagesOf(memory.records.map((record) => JSON.stringify(record))),
      }
    },
  },
  {
    name: 'provider clock',
    members: ['LoggerProviderOptions.clock'],
    returns: () => 1,
    ...withProvider((hook) => ({ clock: hook })),
  },
  {
    name: 'handler factory',
    members: ['compose(handlers)', 'route(handlers)', 'tee(handlers)'],
    returns: (next: unknown) => next,
    build(hook) {
      const { create, arrived } = memories()
      return {
        async use(message) {
          try {
            const logger = createLogger({ exporter: create(), handler: hook, onDiagnostic() {} })
            logger.info(message)
            await logger.flush()
          } catch (error) {
            // An invalid handler causes a ConfigurationError.
            if ((error as Error).name !== 'ConfigurationError') throw error
          }
        },
        arrived,
      }
    },
  },
]
