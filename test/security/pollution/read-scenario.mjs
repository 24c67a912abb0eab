// The scenario of the entry `read`: lines of all formats and envelopes, queries, and each option of `readLogs`.
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'

const iso = '2026-11-21T09:56:03.123Z'
const millis = 1795254963123
const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const pino = `{"level":50,"time":${millis},"pid":1,"hostname":"h","trace_id":"${trace}","tenant":"a","err":{"type":"TypeError","message":"bad","stack":"TypeError: bad\\n    at a","code":"E"},"msg":"failed"}`

/** Lines without members such as attributes, times and levels, which a reader could find on a prototype. */
const lines = [
  `{"timestamp":"${iso}","level":"warn","message":"slow","trace_id":"${trace}","span_id":"${span}","trace_flags":"01","otel.scope.name":"s","attributes":{"n":1,"big":12345678901234567890,"nested":{"list":[1,{"a":null}]}}}`,
  `{"timestamp":"${iso}","level":"info","message":"other order","attributes":{"message":1},"service.name":"shop"}`,
  '{"level":"info"}',
  '{"msg":"only a message"}',
  `{"timestamp":"${iso}","severity_text":"WARN","severity_number":13,"body":{"a":1},"attributes":{},"resource":{"service.name":"shop"}}`,
  pino,
  'TypeError: no route',
  '    at handle (/app/server.js:3:9)',
  `{"name":"app","hostname":"h","pid":1,"level":30,"msg":"bunyan","time":"${iso}","v":0}`,
  `{"level":"error","message":"winston","stack":"Error: winston\\n    at a","timestamp":"${iso}"}`,
  `{"0":"tslog","1":{"id":1},"_meta":{"runtime":"node","date":"${iso}","logLevelId":3,"logLevelName":"INFO","path":{"filePath":"a.ts","fileLine":"1"}}}`,
  `{"_logMeta":{"logLevelId":5,"logLevelName":"ERROR","date":"${iso}"},"message":"tslog 5","error":{"name":"Error","message":"bad","cause":{"name":"Error","message":"why"}}}`,
  `{"@timestamp":"${iso}","level":"INFO","message":"logtape","logger":"app.db","properties":{"trace_id":"${trace}","a":1}}`,
  `{"timestamp":${millis},"level":"info","category":["app","db"],"message":["took ",3," ms"],"rawMessage":"x","properties":{}}`,
  `{"@timestamp":"${iso}","log.level":"info","message":"ecs","ecs.version":"8.10.0","process":{"pid":7},"error":{"type":"E","stack_trace":"E: m\\n    at a"}}`,
  `{"severity":"ERROR","message":"gcp","time":"${iso}","logging.googleapis.com/trace":"projects/p/traces/${trace}"}`,
  `{"severity":"INFO","jsonPayload":{"message":"entry","a":1},"timestamp":"${iso}","resource":{"type":"x"}}`,
  '{"severity":"NOTICE","message":"split","timestampSeconds":1602487250,"timestampNanos":520000001}',
  `{"message":"datadog","status":"warn","dd":{"trace_id":"11803532876627986230","span_id":"67667974448284343","service":"shop"},"date":${millis}}`,
  `{"ts":1795254963.5,"lvl":"dbg","event":"generic","exc_info":"Traceback","x":true}`,
  '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeLogs":[{"scope":{"name":"s"},"logRecords":[{"timeUnixNano":"1795254963123456789","severityText":"Info","severityNumber":9,"body":{"kvlistValue":{"values":[{"key":"a","value":{"arrayValue":{"values":[{"intValue":"1"},{"bytesValue":"AAE="}]}}}]}},"attributes":[{"key":"d","value":{"doubleValue":1.5}},{"key":"empty","value":{}}],"droppedAttributesCount":2},{}]}]}]}',
  '{"resourceLogs":[]}',
  '{"resourceSpans":[]}',
  `{"log":"${pino.slice(0, 20).replaceAll('"', '\\"')}","stream":"stderr","time":"${iso}"}`,
  `{"log":"${pino.slice(20).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}\\n","stream":"stderr","time":"${iso}","attrs":{"tag":"web"}}`,
  `{"log":"just text\\n","stream":"stdout","time":"${iso}"}`,
  `{"__REALTIME_TIMESTAMP":"${millis}123","PRIORITY":"4","_SYSTEMD_UNIT":"web.service","CODE_LINE":"7","MESSAGE":[104,105]}`,
  '__CURSOR=s=1',
  `__REALTIME_TIMESTAMP=${millis}000`,
  'PRIORITY=3',
  'MESSAGE=down',
  '',
  `2016-10-06T00:17:09.669794202Z stdout P ${pino.slice(0, 30)}`,
  `2016-10-06T00:17:09.669794203Z stdout F ${pino.slice(30)}`,
  '2016-10-06T00:17:10.000000000Z stderr F text in an envelope',
  `api-1   | ${pino}`,
  'api-1   | Error: later',
  'api-1   |     at handle (/app/server.js:3:9)',
  `[pod/web-5d8/side] ${pino}`,
  `web-5d8-x2 app ${pino}`,
  `0|worker  | ${pino}`,
  `2026-11-21T09:56:03.123+0000 host web[12]: ${pino}`,
  `${iso} {"level":30,"msg":"after a time"}`,
  `ts=${iso} level=WARN msg="disk \\"full\\"" free=12 ok`,
  `<165>1 ${iso} host app 99 ID47 [ex@1 key="a \\"b\\""] An event`,
  '<34>1 - - - - - - no header values',
  '10.0.0.7 - ada [21/Nov/2026:10:56:03 +0100] "GET /orders?id=1 HTTP/1.1" 503 19 "-" "curl/8.5"',
  '10.0.0.7 - - [21/Nov/2026:10:56:03 +0100] "\\x16\\x03" 400 -',
  `${iso} [main] ERROR it failed`,
  '\tat com.example.Main(Main.java:7)',
  'info: simple {"port":3000}',
  '[Nest] 4242  - 11/27/2026, 1:27:32 AM     LOG [Orders] started +3ms',
  '::1 - GET /orders HTTP/1.1 200 5 - 2.649 ms',
  'plain text',
  '  more text of it',
  '{"a":',
  ']',
]

const queries = [
  'level>=warn and tenant=a',
  "message~'fa+il' or exists(n)",
  'not (level in (debug, info)) and tenant?!=b',
  "'disk' or http.response.status_code>=500",
  "message like 'f*d' and nested.list[0]=1 or trace_id=4bf92f3577b34da6a3ce929d0e0e4736",
  'time>=2026-11-21T00:00:00Z and format=pino',
  "message~'^(a+)+$' or message contains slow",
]
const brokenQueries = ['level>=', 'exist(a)', '(a=1', "a='b", 'level>=loud', 'a~"("']

const properties = [
  'format',
  'time',
  'timeUnixNano',
  'severityNumber',
  'level',
  'severityText',
  'body',
  'message',
  'eventName',
  'attributes',
  'resource',
  'scope',
  'scopeVersion',
  'traceId',
  'spanId',
  'traceFlags',
  'origin',
]

/** Reads all properties of a record, many of which are getters. Maps are converted after the prototype was restored. */
function valuesOf(record) {
  const values = properties.map((name) => record[name])
  return () => values.map(plain)
}

function plain(value) {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return [...value].map(([key, member]) => [key, plain(member)])
  if (value instanceof Uint8Array) return [...value]
  return Array.isArray(value) ? value.map(plain) : value
}

async function collect(records) {
  const all = []
  for await (const record of records) all.push(valuesOf(record))
  return all
}

function thrownBy(callee) {
  try {
    return callee()
  } catch (error) {
    const own = Object.setPrototypeOf({ ...error }, null)
    return { name: own.name, code: own.code, message: error.message, position: own.position, excerpt: own.excerpt }
  }
}

const removal = { __proto__: null, recursive: true, force: true }

/** Compressed before the prototype is polluted, because zlib reads inherited members. */
const [gzip, zstd] = [gzipSync(lines.join('\n')), zstdCompressSync(lines.join('\n'))]

function write(path, text) {
  const fd = openSync(path, 'a', 0o600)
  writeSync(fd, Buffer.from(text))
  closeSync(fd)
}

export async function read(load) {
  const { readLogs, parseQuery, formatQuery, compileQuery } = await load('read')
  return async (directory) => {
    const folder = `${directory}/read`
    rmSync(folder, removal)
    mkdirSync(folder, 0o700)
    const [mixed, other, last, gz, zst] = ['mixed.log', 'other.log', 'last.log', 'old.gz', 'old.zst'].map(
      (name) => `${folder}/${name}`,
    )
    write(mixed, `${lines.join('\n')}\n`)
    write(other, `${lines.toReversed().join('\n')}\n`)
    write(last, `${pino}\n`)
    write(gz, gzip)
    write(zst, zstd)
    const controller = new AbortController()
    const followed = readLogs([last, other], { follow: true, tail: 1, signal: controller.signal })
    const records = [(await followed.next()).value, (await followed.next()).value]
    const [first] = records.filter(({ origin }) => origin.file === last).map(valuesOf)
    await followed.return()
    controller.abort() // `AbortSignal.abort()` reads inherited members.
    const errors = []
    const onError = ({ name, code, message, file }) => errors.push({ name, code, message, file })
    const all = await collect(readLogs(mixed, { text: true }))
    const results = {
      all,
      first,
      queried: await Promise.all(queries.map((where) => collect(readLogs(mixed, { where })))),
      levels: await collect(readLogs(mixed, { level: 'warn', since: iso, until: new Date(millis + 1000) })),
      byFunction: await collect(readLogs([mixed], { where: ({ level }) => level === 'error' })),
      traces: await collect(readLogs([mixed, other], { traceOf: 'tenant=a' })),
      sorted: await collect(readLogs([mixed, other], { sort: true })),
      mapped: await collect(readLogs(mixed, { map: { level: 'lvl', message: 'event' }, input: 'json' })),
      compressed: await collect(readLogs([gz, zst], { tail: 2 })),
      compressedSorted: await collect(readLogs([gz, zst], { sort: true })),
      tail: await collect(readLogs(other, { tail: 3, text: true })),
      text: await collect(readLogs(other, { input: 'text', text: true })),
      logfmt: await collect(readLogs(mixed, { input: 'logfmt' })),
      aborted: await collect(readLogs(mixed, { signal: controller.signal })),
      missing: await collect(readLogs([`${folder}/none.log`, last], { onError })),
      unread: await collect(readLogs(folder)).catch(({ name, message }) => ({ name, message })),
      errors,
      formatted: queries.map((query) => formatQuery(parseQuery(query))),
      parsed: queries.map((query) => parseQuery(query)),
      broken: brokenQueries.map((query) => thrownBy(() => parseQuery(query))),
      brokenOption: thrownBy(() => readLogs(mixed, { where: 'level>=' })),
      invalid: thrownBy(() => readLogs(mixed, { level: 'loud', sorted: true, tail: -1, map: { lvl: 'x' } })),
      conflict: thrownBy(() => readLogs(mixed, { follow: true, sort: true })),
      compiled: typeof compileQuery(parseQuery('level>=warn'), { now: 0, timeZone: 'utc' }),
    }
    rmSync(folder, removal)
    return results
  }
}
