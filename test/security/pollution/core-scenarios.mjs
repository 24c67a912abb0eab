// Scenarios of loggers, layouts and destinations: each returns its results, including the bytes of files and requests.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { clock, failure, fields, keepingExporter, logExamples, taken } from './support.mjs'

/** Options without a prototype, because Node would read polluted options. */
const asText = Object.setPrototypeOf({ encoding: 'utf8', flag: 'r' }, null)
const quiet = { handleExit: false, handleSignals: false }

/** Returns the requests that the collector received, without the sequence numbers that a spool assigns. */
function requestsOf(directory, url) {
  return taken(`${directory}/${url.slice(url.lastIndexOf('/') + 1)}.requests`).split('\n')
}

/** Waits until the collector has `count` records: those left by an exited process are sent after new ones. */
async function recordsAt(directory, url, count) {
  const path = `${directory}/${url.slice(url.lastIndexOf('/') + 1)}.requests`
  for (let round = 0; round < 500; round++) {
    if (existsSync(path) && readFileSync(path, asText).split('timeUnixNano').length > count) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Returns headers and records separately, because a process may send another's records in several requests. */
function lettersOf(lines) {
  const requests = lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  const scopes = requests.flatMap(({ body }) => JSON.parse(body).resourceLogs.flatMap(({ scopeLogs }) => scopeLogs))
  const records = scopes.flatMap(({ logRecords }) => logRecords.map((record) => JSON.stringify(record)))
  return { headers: requests[0].headers, records: records.toSorted() }
}

export const coreScenarios = {
  /** Loggers with all kinds of calls and an exporter that stores its text. */
  async loggers(load) {
    const { createLogger, withContext, defineEvent, ConfigurationError } = await load('index')
    const { jsonLines } = await load('exporters')
    return async () => {
      const { lines, exporter } = keepingExporter(jsonLines())
      const problems = []
      const log = createLogger({
        ...quiet,
        clock,
        exporter,
        name: 'scope',
        version: '1',
        level: 'debug',
        levels: { audit: 18 },
        attributes: { app: 'x' },
        resource: { team: 'y' },
        redact: ['user.password'],
        serializers: { user: (user) => ({ ...user, seen: true }) },
        enrich: () => ({ enriched: true }),
        handler: (next) => ({ handle: (record) => next.handle(record) }),
        onDiagnostic: ({ code, message }) => problems.push(`${code}: ${message}`),
      })
      logExamples(log)
      log.audit('audited', { n: 1 })
      log.trace('not shown')
      log.info(() => ['lazy', { x: 1 }])
      log.info(fields())
      log.warn({ a: 1 }, '%s took %d %j', 'job', 3, { b: [1] })
      log.error({ err: failure() }, 'failed too')
      log.fatal(failure())
      log.info('values', { set: new Set([1]), big: 1n, bytes: new Uint8Array([1]), symbol: Symbol('s'), nan: NaN })
      log.info('hooked', { at: { toJSON: () => ({ logged: 1 }) } })
      const child = log.child(
        { bound: true },
        { messagePrefix: '> ', level: 'warn', redact: ['secret'], limits: { depth: 2 } },
      )
      child.info('not shown')
      child.warn('child', { secret: 'hidden', other: { deep: { deeper: 1 } } })
      child.child({ b: 1 }, {}).error('grandchild')
      withContext({ context: 1 }, () => log.info('in context'))
      defineEvent('order.placed', { level: 'warn' })(log, { id: 1 })
      for (const wrong of [{ nonsense: 1 }, { level: 'nonsense' }, { redact: { paths: [''] } }]) {
        try {
          createLogger(wrong)
        } catch (error) {
          problems.push(error instanceof ConfigurationError, error.message)
        }
      }
      const flushed = await log.flush({})
      const stats = log.stats()
      await log.shutdown()
      return { lines, flushed, stats, problems, level: log.level }
    }
  },

  async redaction(load) {
    const { createLogger } = await load('index')
    const { jsonLines } = await load('exporters')
    return async () => {
      const all = []
      for (const redact of [
        undefined,
        { paths: ['user.password', 'list[*]', 'deep.*.secret'], censor: '[gone]' },
        { keys: ['password', /^sec/i, { preset: 'secrets' }] },
        { keys: ['password'], remove: true },
        { patterns: ['credentials', 'jwt', 'card', 'email', { name: 'own', pattern: /OWN-\d{1,9}/ }] },
        { keys: ['password'], censor: (value, path) => `${typeof value} ${path.join('.')}` },
        { credentialHeaders: false },
      ]) {
        const { lines, exporter } = keepingExporter(jsonLines())
        const log = createLogger({ ...quiet, clock, exporter, ...(redact && { redact }) })
        logExamples(log)
        log.info('card 4111 1111 1111 1111 of ann@example.com, OWN-17', { deep: { x: { secret: 'hidden', kept: 1 } } })
        log.info({
          rawHeaders: ['Authorization', 'Bearer hidden'],
          set: new Set(['OWN-1']),
          bytes: Buffer.from('OWN-2'),
        })
        await log.shutdown()
        all.push(lines)
      }
      return all
    }
  },

  async layouts(load) {
    const { createLogger } = await load('index')
    const { jsonLines, pretty } = await load('exporters')
    return async () => {
      const all = []
      for (const make of [
        () => jsonLines(),
        () => jsonLines('otel'),
        () => jsonLines('pino'),
        () => jsonLines('ecs'),
        () => jsonLines('datadog'),
        () => jsonLines({ base: 'gcp', project: 'p' }),
        () => jsonLines({ base: 'pino', time: 'isoMicros', keys: { message: 'm' }, constants: { team: 'x' } }),
        () => pretty({ colors: false }),
        () => pretty({ colors: true }),
      ]) {
        const { lines, exporter } = keepingExporter(make())
        const log = createLogger({ ...quiet, clock, exporter, name: 'scope', resource: { a: 1 } })
        logExamples(log)
        log.info('values', { set: new Set([1]), big: 1n, bytes: new Uint8Array([1]) })
        await log.shutdown()
        all.push(lines.join(''))
      }
      return all
    }
  },

  async files(load) {
    const { createLogger } = await load('index')
    const { fileExporter, fdExporter, memoryExporter } = await load('exporters')
    return async (directory) => {
      const path = `${directory}/plain.log`
      const rotated = `${directory}/rotated.log`
      const fd = openSync(`${directory}/descriptor.log`, 'a', 0o600)
      const memory = memoryExporter({})
      const log = createLogger({
        ...quiet,
        clock,
        exporter: [
          fileExporter({ path, mkdir: true, level: 'warn' }),
          fileExporter({ path: rotated, rotate: { size: 1_000_000, keep: 2, compress: 'gzip' } }),
          fdExporter({ fd, write: 'sync' }),
          fdExporter({ fd: 1 }),
          memory,
        ],
      })
      logExamples(log)
      for (let count = 0; count < 12; count++) log.info('large', { text: 'x'.repeat(60_000) })
      await log.flush()
      for (let count = 0; count < 12; count++) log.info('large', { text: 'y'.repeat(60_000) })
      log.fatal('fatal')
      const flushed = await log.flush()
      const stats = log.stats()
      await log.shutdown()
      closeSync(fd)
      const sizes = () => {
        const files = readdirSync(directory).filter((name) => name.startsWith('rotated'))
        const found = files.map((name) => readFileSync(`${directory}/${name}`).length)
        for (const name of files) rmSync(`${directory}/${name}`)
        return found
      }
      return {
        text: () => taken(path),
        rotated: sizes,
        descriptor: () => taken(`${directory}/descriptor.log`),
        records: memory.records,
        flushed,
        stats,
      }
    }
  },

  async otlp(load) {
    const { createLogger } = await load('index')
    const { otlpExporter } = await load('exporters')
    return async (directory, { collector }) => {
      const all = []
      for (const [name, options] of /** @type {[string, object][]} */ ([
        ['json', { protocol: 'http/json' }],
        ['protobuf', {}],
        ['gzip', { compression: 'gzip', headers: { authorization: 'Bearer x' } }],
        ['busy', { retry: { initialDelayMillis: 1 }, protocol: 'http/json' }],
      ])) {
        const url = `${collector}-${name}`
        const problems = []
        const log = createLogger({
          ...quiet,
          clock,
          name: 'scope',
          resource: { a: 1, 'service.name': 'shop' },
          redact: { keys: ['password'] },
          exporter: otlpExporter({ url, ...options }),
          onDiagnostic: ({ code, message }) => problems.push(`${code}: ${message}`),
        })
        logExamples(log)
        log.info('amount', { amount: 42, list: ['a', 1, true, null, { b: 1.5 }] })
        const flushed = await log.flush({ timeoutMillis: 3_000 })
        const stats = log.stats()
        await log.shutdown({ timeoutMillis: 1_000 })
        all.push({ name, flushed, stats, problems, requests: () => requestsOf(directory, url) })
      }
      return all
    }
  },

  async fetch(load) {
    const { createLogger, fetchExporter } = await load('core')
    return async (directory, { collector }) => {
      const all = []
      for (const [name, options] of /** @type {[string, object][]} */ ([
        ['json', {}],
        ['busy', { retry: { initialDelayMillis: 1 } }],
      ])) {
        const url = `${collector}-${name}`
        const log = createLogger({ clock, exporter: fetchExporter({ url, ...options }), resource: { a: 1 } })
        logExamples(log)
        const flushed = await log.flush({ timeoutMillis: 3_000 })
        const stats = log.stats()
        await log.shutdown({ timeoutMillis: 1_000 })
        all.push({ name, flushed, stats, requests: () => requestsOf(directory, url) })
      }
      return all
    }
  },

  async spool(load) {
    const { createLogger } = await load('index')
    const { otlpExporter, spool } = await load('exporters')
    return async (directory, { collector }) => {
      const kept = `${directory}/spool`
      const all = []
      // The first run cannot connect, so its records stay in the spool for the second.
      for (const url of ['http://127.0.0.1:9/v1/logs', `${collector}-spool`]) {
        const log = createLogger({
          ...quiet,
          clock,
          exporter: spool(otlpExporter({ url, protocol: 'http/json', retry: { initialDelayMillis: 60_000 } }), {
            directory: kept,
            maxBytes: 100_000_000,
          }),
          onDiagnostic() {},
        })
        logExamples(log)
        log.fatal('fatal')
        const flushed = await log.flush({ timeoutMillis: url.includes(':9/') ? 50 : 3_000 })
        if (url.includes('-spool')) await recordsAt(directory, url, 12)
        await log.shutdown({ timeoutMillis: 1_000 })
        const { emitted, written, unknown, dropped } = log.stats()
        // Whether the first run spools its records within 50 ms depends on the machine.
        all.push({ ok: url.includes(':9/') || flushed.ok, emitted, written, unknown, dropped })
      }
      return {
        all,
        requests() {
          rmSync(kept, { recursive: true })
          return lettersOf(requestsOf(directory, `${collector}-spool`))
        },
      }
    }
  },

  async process(load) {
    const { createLogger } = await load('index')
    const { processExporter } = await load('exporters')
    return async (directory) => {
      const path = `${directory}/process.log`
      const log = createLogger({ ...quiet, clock, exporter: processExporter({ path }) })
      logExamples(log)
      const flushed = await log.flush({ timeoutMillis: 5_000 })
      const stats = log.stats()
      await log.shutdown({ timeoutMillis: 5_000 })
      return { flushed, stats, text: () => taken(path) }
    }
  },

  /** Providers, processors and exporters of the OpenTelemetry SDK. */
  async sdk(load) {
    const otel = await load('otel')
    const { jsonLines } = await load('exporters')
    return async () => {
      const { createLoggerProvider, PipelineLogRecordProcessor, EncodingLogRecordExporter, fromLogRecordExporter } =
        otel
      const problems = []
      const onDiagnostic = ({ code, message }) => problems.push(`${code}: ${message}`)
      const kept = keepingExporter(jsonLines('otel'))
      const foreign = []
      const provider = createLoggerProvider({
        exporter: [
          kept.exporter,
          fromLogRecordExporter(
            {
              export(records, done) {
                foreign.push(
                  ...records.map(({ body, attributes, severityText }) => ({ body, attributes, severityText })),
                )
                done({ code: 0 })
              },
              async shutdown() {},
            },
            { scheduledDelayMillis: 1 },
          ),
        ],
        processors: [
          { onEmit: (record) => record.setAttribute('processed', true), async forceFlush() {}, async shutdown() {} },
        ],
        clock,
        onDiagnostic,
        redact: { keys: ['password'] },
        resource: { a: 1 },
      })
      const logger = provider.getLogger('scope', '1')
      const times = { timestamp: 1e12, observedTimestamp: 1e12 }
      logger.emit({ body: 'logged', attributes: fields(), severityNumber: 9, ...times })
      logger.emit({ body: { structured: [1, 'two'] }, eventName: 'event', ...times })
      logger.emit({ exception: failure(), ...times })
      const enabled = logger.enabled({ severityNumber: 5 })
      await provider.forceFlush()
      await provider.shutdown()
      const record = {
        hrTime: [0, 0],
        hrTimeObserved: [0, 0],
        body: 'readable',
        attributes: { password: 'hidden', a: 1 },
        resource: { attributes: {} },
        instrumentationScope: { name: 'x' },
        droppedAttributesCount: 0,
      }
      const piped = keepingExporter(jsonLines('otel'))
      const processor = new PipelineLogRecordProcessor({
        exporter: piped.exporter,
        redact: { keys: ['password'] },
        onDiagnostic,
      })
      processor.onEmit(record)
      await processor.forceFlush()
      await processor.shutdown()
      const encoded = keepingExporter(jsonLines('otel'))
      const encoding = new EncodingLogRecordExporter({ exporter: encoded.exporter, onDiagnostic })
      const exported = await new Promise((resolve) => encoding.export([record], resolve))
      await encoding.shutdown()
      return {
        enabled,
        provider: kept.lines,
        foreign,
        processor: piped.lines,
        exported,
        encoded: encoded.lines,
        problems,
      }
    }
  },
}
