// One scenario for each entry of the package: it uses the entry as an application does, and returns the results. Options and records
// are object literals, which inherit from Object.prototype as in any application.
import { control } from './control.mjs'
import { coreScenarios } from './core-scenarios.mjs'
import { levelControlScenario } from './level-control-scenario.mjs'
import { read } from './read-scenario.mjs'
import { requests } from './requests.mjs'
import {
  clock,
  failure,
  fields,
  keepingExporter,
  keepingStream,
  noTime,
  logExamples,
  taken,
  writable,
} from './support.mjs'

/** Creates a request log of a Node adapter, with its logger. */
async function requestLogOf(load, entry, drive, options = {}) {
  const { createLogger } = await load('index')
  const { jsonLines } = await load('exporters')
  const { requestLog } = await load(entry)
  return async () => {
    const { lines, exporter } = keepingExporter(jsonLines())
    const logger = createLogger({ clock, exporter, handleExit: false })
    const log = requestLog({ logger, requestHeaders: ['host'], ...options })
    await drive(log, logger)
    await logger.flush()
    return {
      lines: lines.map((line) =>
        line.replace(/"http.server.request.duration":[^,}]+/g, '').replace(/"(client|network)\.\w+\.port":\d+/g, ''),
      ),
      stats: log.stats(),
    }
  }
}

function logToPino(log) {
  logExamples(log)
  log.info(fields(), 'fields')
  log.error(failure())
  log.info({ req: { method: 'GET', url: '/' }, err: failure() })
  log.child({ c: 1 }, { msgPrefix: '> ', level: 'debug' }).debug('child %j', { b: 1 })
  log.trace('not shown')
}

function logToBunyan(log) {
  log.info('plain %s', 'text', { a: 1 })
  log.info(fields(), 'fields')
  log.error(failure())
  log.error({ err: failure(), req: { method: 'GET', url: '/', headers: {} } }, 'failed')
  log.child({ c: 1 }).warn({ a: 1 }, 'child')
  log.child({ c: 2 }, true).warn('simple child')
  log.trace('not shown')
}

function logToWinston(log) {
  log.info('plain')
  log.info('fields', fields())
  log.log('warn', '%s took %d', 'job', 3, { rest: 1 })
  log.log({ level: 'error', message: 'as an object', a: 1 })
  log.error(failure())
  log.error('with', failure())
  log.child({ c: 1 }).warn('child')
  log.debug('not shown')
  log.profile('t', {})
}

/** For each entry, a function that loads its modules and returns a function that uses them. */
export const scenarios = {
  control,
  read,
  'level-control': levelControlScenario,
  ...coreScenarios,

  async index(load) {
    const { createLogger, withContext, defineEvent } = await load('index')
    const { jsonLines } = await load('exporters')
    return async () => {
      const { lines, exporter } = keepingExporter(jsonLines())
      const log = createLogger({
        clock,
        exporter,
        handleExit: false,
        redact: { keys: ['password'] },
        attributes: { app: 'x' },
      })
      logExamples(log)
      withContext({ context: 1 }, () => log.info('in context'))
      defineEvent('order.placed', { level: 'warn' })(log, { id: 1 })
      const flushed = await log.flush({})
      return { lines, flushed, stats: log.stats(), level: log.level }
    }
  },

  async core(load) {
    const { createLogger, jsonLines, consoleExporter } = await load('core')
    return async () => {
      const { lines, exporter } = keepingExporter(jsonLines())
      const log = createLogger({ clock, exporter, redact: ['user.password'] })
      logExamples(log)
      await log.flush({})
      // Its lines are part of the output of the program, which is compared as well.
      const other = createLogger({ clock, exporter: consoleExporter({}) })
      other.info('to the console', { a: 1 })
      await other.flush()
      return { lines, stats: log.stats() }
    }
  },

  async exporters(load) {
    const { createLogger } = await load('index')
    const { fileExporter, memoryExporter, pretty, jsonLines } = await load('exporters')
    return async (directory) => {
      const path = `${directory}/exporters.log`
      const memory = memoryExporter({})
      const log = createLogger({ clock, handleExit: false, exporter: [fileExporter({ path, mkdir: true }), memory] })
      logExamples(log)
      await log.flush()
      await log.shutdown()
      const people = keepingExporter(pretty({ colors: false }))
      const data = keepingExporter(jsonLines({ base: 'ecs', constants: { team: 'x' } }))
      for (const { exporter } of [people, data]) {
        const log = createLogger({ clock, exporter, handleExit: false })
        logExamples(log)
        await log.flush()
      }
      return {
        text: () => taken(path),
        records: memory.records,
        people: people.lines,
        data: data.lines,
      }
    }
  },

  async otel(load) {
    const { createLoggerProvider, PipelineLogRecordProcessor } = await load('otel')
    const { jsonLines } = await load('exporters')
    return async () => {
      const { lines, exporter } = keepingExporter(jsonLines('otel'))
      const provider = createLoggerProvider({ exporter, clock, resource: { a: 1 }, redact: { keys: ['password'] } })
      const logger = provider.getLogger('scope', '1', {})
      logger.emit({ body: 'logged', attributes: fields(), severityNumber: 9, timestamp: 1e12, observedTimestamp: 1e12 })
      logger.emit({ timestamp: 1e12, observedTimestamp: 1e12 })
      await provider.forceFlush()
      await provider.shutdown()
      const piped = keepingExporter(jsonLines('otel'))
      const processor = new PipelineLogRecordProcessor({ exporter: piped.exporter })
      processor.onEmit({
        hrTime: [0, 0],
        hrTimeObserved: [0, 0],
        body: 'b',
        attributes: { a: 1 },
        resource: { attributes: {} },
        instrumentationScope: { name: 'x' },
        droppedAttributesCount: 0,
      })
      await processor.forceFlush()
      await processor.shutdown()
      return { lines, piped: piped.lines }
    }
  },

  async testing(load) {
    const { captureLogs, manualClock } = await load('testing')
    return async () => {
      const logs = captureLogs({ clock: manualClock(0) })
      logExamples(logs.logger)
      const text = logs.text()
      const found = logs.records.filter(({ severity }) => severity >= 17).length
      logs[Symbol.dispose]?.()
      return { text, found }
    }
  },

  async handlers(load) {
    const { budget, compose, dedupe, limit, route, sampleByTrace, tee } = await load('handlers')
    const { createLogger } = await load('index')
    const { jsonLines } = await load('exporters')
    return async () => {
      const { lines, exporter } = keepingExporter(jsonLines())
      const handler = compose(
        route((record) => record.level, { warn: tee(limit({ first: 2 }), dedupe()), default: dedupe() }),
        sampleByTrace(1),
        budget({ bytesPerSecond: 1_000_000 }),
      )
      const logger = createLogger({ clock, exporter, handler, handleExit: false, resource: { 'service.name': 'x' } })
      for (let i = 0; i < 5; i++) {
        logger.info('repeated {i}', { i })
        logger.warn('limited')
      }
      await logger.flush()
      const { filteredByReason } = logger.stats()
      await logger.shutdown()
      return { lines, filteredByReason: Object.entries(filteredByReason) }
    }
  },

  // Rules are not run: a polluted prototype also changes the syntax trees that a linter passes to them.
  async lint(load) {
    const { configs, rules } = await load('lint')
    return () => ({ rules: Object.keys(rules), configured: Object.entries(configs.recommended.rules) })
  },

  async 'child-process'(load) {
    const { childProcessLogger } = await load('child-process')
    return async (directory) => {
      const path = `${directory}/child.log`
      const child = childProcessLogger({ path }, { clock })
      child.log('from a child', { a: 1 })
      const stats = await child.done({ timeoutMillis: 20_000 })
      return { text: () => taken(path), written: stats.written }
    }
  },

  async console(load) {
    const { captureConsole } = await load('console')
    const { createLogger } = await load('index')
    const { jsonLines } = await load('exporters')
    return async () => {
      const { lines, exporter } = keepingExporter(jsonLines())
      const logger = createLogger({ clock, exporter, handleExit: false })
      const capture = captureConsole({ mode: 'records', logger })
      console.log('logged %s', 'here', { a: 1 })
      console.error(failure())
      capture.release()
      await logger.flush()
      const through = writable()
      const passing = captureConsole({ stream: through.stream })
      console.log('passed %d', 1, { a: { b: 1 } })
      await passing.flush()
      passing.release()
      return { lines, through: through.lines }
    }
  },

  async http(load) {
    return requestLogOf(load, 'http', (log) => requests(log, { fetch: true }))
  },
  async next(load) {
    return requestLogOf(load, 'next', (log) => requests(log, { fetch: true }))
  },
  async node(load) {
    return requestLogOf(load, 'node', (log) =>
      requests((request, response) => log(request, response, () => response.end('done'))),
    )
  },
  async express(load) {
    return requestLogOf(load, 'express', (log) =>
      requests((request, response) => log(request, response, () => response.end('done'))),
    )
  },
  async nest(load) {
    const { nestLogger } = await load('nest')
    return requestLogOf(load, 'nest', async (log, logger) => {
      await requests((request, response) => log(request, response, () => response.end('done')))
      const nest = nestLogger(logger)
      nest.log('started', 'App')
      nest.error('failed', 'RangeError: bad\n    at here', 'App')
    })
  },
  async koa(load) {
    return requestLogOf(load, 'koa', (log) =>
      requests((req, res) =>
        log({ req, res, originalUrl: req.url, protocol: 'http', ip: '127.0.0.1' }, async () => void res.end('done')),
      ),
    )
  },
  async hono(load) {
    return requestLogOf(load, 'hono', async (log) => {
      const raw = new Request('http://127.0.0.1/orders/17?token=hidden', { headers: { 'x-request-id': 'r1' } })
      const res = new Response('done')
      const context = { req: { raw }, res, finalized: true, error: undefined, env: undefined, set() {}, header() {} }
      await log(context, async () => {})
    })
  },
  async fastify(load) {
    return requestLogOf(load, 'fastify', async (plugin) => {
      const hooks = {}
      plugin(
        { addHook: (name, hook) => void Object.defineProperty(hooks, name, { __proto__: null, value: hook }) },
        {},
        () => {},
      )
      await requests((raw, response) =>
        hooks.onRequest(
          { raw, originalUrl: raw.url, protocol: 'http', ip: '127.0.0.1', routeOptions: { url: '/orders/:id' } },
          { raw: response },
          () => response.end('done'),
        ),
      )
    })
  },

  async lambda(load) {
    const { withFlush } = await load('lambda')
    const { createLogger } = await load('index')
    return async () => {
      const log = createLogger({ clock })
      const handler = withFlush(async (event) => {
        log.info('called', event)
        return { seen: event.id }
      }, {})
      return handler({ id: 17 }, { getRemainingTimeInMillis: () => 1_000 })
    }
  },

  async register(load) {
    const { provider, capture } = await load('register')
    return async () => {
      const logger = provider?.getLogger('scope', '1')
      logger?.emit({
        body: 'emitted',
        attributes: { a: 1 },
        severityNumber: 9,
        timestamp: 1e12,
        observedTimestamp: 1e12,
      })
      await provider?.forceFlush()
      return { provider: typeof provider, capture: typeof capture }
    }
  },

  async pino(load) {
    const { pino, multistream, stdSerializers, destination } = await load('pino')
    const { jsonLines } = await load('exporters')
    return async (directory) => {
      const { lines, stream } = keepingStream()
      logToPino(pino({ timestamp: noTime, base: null }, stream))
      logToPino(
        pino(
          {
            timestamp: noTime,
            base: { app: 'x' },
            redact: ['user.password'],
            customLevels: { loud: 35 },
            serializers: { err: stdSerializers.err },
          },
          stream,
        ),
      )
      logToPino(
        pino(
          {
            timestamp: noTime,
            base: null,
            mixin: () => ({ m: 1 }),
            nestedKey: 'p',
            formatters: { level: (label) => ({ label }) },
          },
          stream,
        ),
      )
      logToPino(
        pino({ timestamp: noTime, base: null, name: 'n' }, multistream([{ stream }, { level: 'error', stream }])),
      )
      const path = `${directory}/pino.log`
      const file = destination({ dest: path, sync: true })
      const log = pino({ timestamp: noTime, base: null }, file)
      logToPino(log)
      file.flushSync()
      const kept = keepingExporter(jsonLines())
      const both = pino({ timestamp: noTime, base: null, exporter: kept.exporter }, stream)
      logToPino(both)
      await new Promise((resolve) => both.flush(resolve))
      return {
        lines,
        text: () => taken(path),
        records: kept.lines,
        levels: log.levels,
        bindings: both.child({ a: 1 }).bindings(),
        level: log.level,
      }
    }
  },

  async bunyan(load) {
    const { createLogger, stdSerializers, RingBuffer } = await load('bunyan')
    return async (directory) => {
      const { lines, stream } = keepingStream()
      logToBunyan(createLogger({ name: 'app', stream }))
      logToBunyan(createLogger({ name: 'app', stream, serializers: stdSerializers, redact: { keys: ['password'] } }))
      const ring = new RingBuffer({ limit: 3 })
      logToBunyan(
        createLogger({
          name: 'app',
          streams: [
            { stream, level: 'warn' },
            { type: 'raw', stream: ring, level: 'info' },
          ],
        }),
      )
      lines.push(...ring.records.map(({ msg, level }) => `${msg} ${level}`))
      const path = `${directory}/bunyan.log`
      const log = createLogger({ name: 'app', streams: [{ path }] })
      logToBunyan(log)
      await log.flush()
      return { lines, text: () => taken(path), levels: log.levels(), level: log.level() }
    }
  },

  async bole(load) {
    const { default: bole } = await load('bole')
    return async () => {
      const { lines, stream } = keepingStream()
      bole.reset()
      bole.setFastTime(true)
      bole.output({ level: 'debug', stream })
      bole.output([{ level: 'warn', stream, redact: { keys: ['password'] } }])
      const log = bole('app')
      log.info('plain %s', 'text', { a: 1 })
      log.info(fields(), 'fields')
      log.error(failure(), 'failed %d', 1)
      log('sub').warn({ a: 1 }, 'sub')
      log.debug({ method: 'GET', url: '/', headers: {}, socket: {} })
      await bole.flush()
      bole.reset()
      return { lines }
    }
  },

  async winston(load) {
    const { createLogger, format, transports, sluiceTransport, Transport } = await load('winston')
    const { jsonLines } = await load('exporters')
    return async (directory) => {
      const { lines, stream } = writable()
      const formats = {
        json: format.json(),
        simple: format.simple(),
        cli: format.cli({}),
        combined: format.combine(
          format.errors({ stack: true }),
          format.splat(),
          format.label({ label: 'l' }),
          format.metadata({}),
          format.json({ space: 1 }),
        ),
        colors: format.combine(
          format.colorize({ all: true }),
          format.align(),
          format.padLevels({}),
          format.printf(({ level, message }) => `${level} ${message}`),
        ),
        logstash: format.logstash(),
        pretty: format.prettyPrint({}),
        replacer: format.json({ replacer: (key, value) => value, deterministic: false }),
        own: format((info, options) => Object.assign(info, { options: Object.keys(options) }))({}),
      }
      for (const [name, each] of Object.entries(formats)) {
        lines.push(`${name}:`)
        const log = createLogger({
          format: each,
          transports: [new transports.Stream({ stream })],
          redact: { keys: ['password'] },
        })
        logToWinston(log)
        await log.flush({})
        log.close()
      }
      const path = `${directory}/winston.log`
      const kept = keepingExporter(jsonLines())
      const objects = []
      class Own extends Transport {
        log(info, next) {
          objects.push(Object.entries(info).join())
          next()
        }
      }
      const log = createLogger({
        level: 'verbose',
        defaultMeta: { app: 'x' },
        transports: [
          new transports.File({ filename: path }),
          new transports.Console({ silent: false, eol: '\n' }),
          new Own({ level: 'warn' }),
          sluiceTransport({ exporter: kept.exporter, clock, redact: { keys: ['password'] } }),
        ],
      })
      logToWinston(log)
      await log.flush()
      const stats = log.transports[0].stats().map(({ written }) => written)
      log.close()
      return {
        lines,
        text: () => taken(path),
        objects,
        records: kept.lines,
        stats,
        level: log.level,
        enabled: log.isLevelEnabled('debug'),
      }
    }
  },
}
