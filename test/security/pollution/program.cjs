// Pollutes a prototype before or after the package is loaded, then uses all entries. Writes lines to its standard output and the
// results as JSON to file descriptor 3. Argument: { format, dist, file, when, keys, value, array }.
'use strict'
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')

const plan = JSON.parse(process.argv[2])
const values = {
  text: 'evil',
  number: 2,
  flag: true,
  no: null,
  function: function evil() {
    return 'evil'
  },
  object: { evil: 'evil' },
}
const prototypes = {
  object: Object.prototype,
  array: Array.prototype,
  error: Error.prototype,
  string: String.prototype,
}

function pollute() {
  const on = prototypes[plan.on ?? 'object']
  for (const key of plan.keys) on[key] = values[plan.value]
}
function clean() {
  const on = prototypes[plan.on ?? 'object']
  for (const key of plan.keys) delete on[key]
}

async function load(name) {
  if (plan.format === 'cjs') return require(path.join(plan.dist, 'cjs', `${name}.js`))
  return import(path.join(plan.dist, 'esm', `${name}.js`))
}

const seen = {}
const bodies = []
const requests = []

/** Creates an exporter that stores its batches. */
function keeper(encoding) {
  const kept = []
  const keep = (batch) => {
    kept.push(batch.text())
    return { status: 'accepted' }
  }
  return {
    kept,
    exporter: { name: 'keeper', encoding, schedule: 'sync', delivery: {}, export: keep, exportSync: keep },
  }
}

const clock = () => 0

/** Sets attributes of one record, and passes on all records. */
const handler = (next) => ({
  handle(record) {
    if (record.body === 'plain') record.attributes = { ...record.attributes, span: record.span === undefined }
    next.handle(record)
  },
})

function shape(exporter) {
  return {
    name: exporter.name,
    schedule: exporter.schedule,
    delivery: { ...exporter.delivery },
    options: Object.hasOwn(exporter, 'destination') ? { ...exporter.destination?.options } : {},
    batchBytes: Object.hasOwn(exporter, 'batchBytes') ? exporter.batchBytes : undefined,
    sync: Object.hasOwn(exporter, 'exportSync'),
  }
}

async function main() {
  if (plan.when === 'before') pollute()
  const { createLogger, withContext, defineEvent, ConfigurationError } = await load('index')
  const exporters = await load('exporters')
  const { fdExporter, fileExporter, processExporter, memoryExporter, otlpExporter, spool, retry } = exporters
  const { jsonLines, pretty } = exporters
  const { createLoggerProvider, PipelineLogRecordProcessor, EncodingLogRecordExporter, fromLogRecordExporter } =
    await load('otel')
  if (plan.when === 'after') pollute()

  const problems = []
  const onDiagnostic = ({ code, message }) => problems.push(`${code}: ${message}`)

  // Options that are not given have their defaults.
  const made = {
    fd: () => fdExporter({ fd: 1 }),
    memory: () => memoryExporter(),
    memoryGiven: () => memoryExporter({}),
    otlp: () => otlpExporter({ url: 'http://127.0.0.1:1/' }),
    retry: () => retry(memoryExporter(), {}),
    layout: () => ({ name: jsonLines({}).key, schedule: 0, delivery: {}, destination: null, batchBytes: 0 }),
    foreign: () => fromLogRecordExporter({ export() {}, async shutdown() {} }, {}),
    file: () => fileExporter({ path: plan.file }),
    fileRotated: () => fileExporter({ path: plan.file, rotate: { size: 1e6 } }),
    process: () => processExporter({ path: plan.file }),
    spool: () =>
      spool(otlpExporter({ url: 'http://127.0.0.1:1/' }), { directory: `${plan.file}.spool`, maxBytes: 1e7 }),
  }
  for (const [name, make] of Object.entries(made)) {
    try {
      seen[name] = shape(make())
    } catch (error) {
      seen[name] = `threw ${error.message}`
    }
  }
  try {
    fdExporter({ nonsense: 1 })
    seen.refused = 'nothing'
  } catch (error) {
    seen.refused = `${error instanceof ConfigurationError} ${error.message}`
  }

  function logExamples(log) {
    log.info('plain')
    log.info('user {user} in {place}', { user: { name: 'Ann', password: 'hidden' }, n: 1, list: [1, [2], { a: null }] })
    log.warn({ a: 1 }, '%s took %d %j', 'job', 3, { b: [1] })
    log.error('failed', Object.assign(new RangeError('bad'), { stack: 'RangeError: bad\n    at here' }))
    log.error({ err: Object.assign(new Error('x'), { stack: 'Error: x\n    at y', code: 'E' }) }, 'failed too')
    log.info('values', {
      map: new Map([['k', 1]]),
      set: new Set([1]),
      date: new Date(0),
      big: 1n,
      bytes: new Uint8Array([1]),
    })
    log
      .child({ bound: true }, { messagePrefix: '> ', redact: ['secret'] })
      .info('child', { secret: 'hidden', other: {} })
    log.child({ b: 1 }, {}).info('child')
    log.info(() => ['lazy', { x: 1 }])
    withContext({ context: 1 }, () => log.info('in context'))
    log.debug('not shown')
    defineEvent('order.placed')(log, { id: 1 })
    defineEvent('order.placed', {})(log, { id: 2 }, new Error('late').message)
    seen.level = [log.level, log.isLevelEnabled('debug'), log.isLevelEnabled('x')]
  }
  const redact = {
    keys: ['password'],
    patterns: ['credentials', 'jwt', 'card', 'email', { name: 'own', pattern: /OWN-\d{1,9}/ }],
  }
  for (const [name, encoding] of Object.entries({
    json: jsonLines(),
    otel: jsonLines('otel'),
    pino: jsonLines('pino'),
    gcp: jsonLines({ base: 'gcp', project: 'p' }),
    ecs: jsonLines('ecs'),
    datadog: jsonLines('datadog'),
    pretty: pretty({ colors: false }),
  })) {
    const { kept, exporter } = keeper(encoding)
    const handled = name === 'otel' ? { handler } : {}
    const log = createLogger({ exporter, clock, redact, onDiagnostic, handleExit: false, name: 'scope', ...handled })
    logExamples(log)
    seen[name] = kept
    await log.flush({})
    seen[`${name} stats`] = log.stats()
    await log.shutdown()
  }
  const memory = memoryExporter()
  const log = createLogger({ clock, exporter: memory, onDiagnostic })
  log.info('remembered', { a: { b: 1 } })
  seen.records = memory.records
  await log.shutdown()

  const standard = createLogger({ clock, redact, onDiagnostic })
  logExamples(standard)
  await standard.flush()
  seen.standard = standard.stats()
  await standard.shutdown()

  // The URL and headers of OTLP requests.
  const server = http.createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { host: _, ...headers } = request.headers
      requests.push([request.method, request.url, headers])
      bodies.push(Buffer.concat(chunks).toString('base64'))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"partialSuccess":{}}')
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/v1/logs`
  const sender = createLogger({
    clock,
    redact,
    onDiagnostic,
    exporter: otlpExporter({ url, protocol: 'http/json' }),
    resource: { 'service.name': 'shop' },
  })
  logExamples(sender)
  seen.sent = await sender.flush({ timeoutMillis: 3_000 })
  await sender.shutdown({ timeoutMillis: 1_000 })
  server.closeAllConnections()
  server.close()

  const kept = keeper(jsonLines('otel'))
  const provider = createLoggerProvider({ exporter: kept.exporter, clock, onDiagnostic, redact, resource: { a: 1 } })
  const emitter = provider.getLogger('scope', '1')
  emitter.emit({
    body: 'logged',
    attributes: { password: 'hidden', n: 1 },
    severityNumber: 9,
    timestamp: 1700000000000,
    observedTimestamp: 1700000000000,
  })
  emitter.emit({ body: { structured: [1, 'two'] }, timestamp: 1700000000000, observedTimestamp: 1700000000000 })
  emitter.emit({ timestamp: 1700000000000, observedTimestamp: 1700000000000 })
  seen.enabled = emitter.enabled({ severityNumber: 5 })
  await provider.forceFlush()
  await provider.shutdown()
  seen.provider = kept.kept

  const piped = keeper(jsonLines('otel'))
  const processor = new PipelineLogRecordProcessor({ exporter: piped.exporter, redact, onDiagnostic })
  const record = {
    hrTime: [0, 0],
    hrTimeObserved: [0, 0],
    body: 'readable',
    attributes: { password: 'hidden', a: 1 },
    resource: { attributes: {} },
    instrumentationScope: { name: 'x' },
    droppedAttributesCount: 0,
  }
  processor.onEmit(record)
  await processor.forceFlush().catch((error) => (seen.processorFailed = error.message))
  await processor.shutdown().catch(() => {})
  seen.processor = piped.kept

  const encoded = keeper(jsonLines('otel'))
  const encoding = new EncodingLogRecordExporter({ exporter: encoded.exporter, redact, onDiagnostic })
  seen.exported = await new Promise((resolve) => encoding.export([record], resolve))
  await encoding.shutdown()
  seen.encoded = encoded.kept

  seen.problems = problems
  seen.requests = requests
  seen.bodies = bodies
  clean()
  fs.writeSync(
    3,
    JSON.stringify(seen, (key, value) => (key === 'exportMillis' ? 0 : value)),
  )
}

main().catch((error) => {
  clean()
  fs.writeSync(3, JSON.stringify({ failed: String(error?.stack ?? error) }))
})
