import type { ReadRecord } from '../../../src/read/record.ts'

/** One or more lines that follow each other in one container, and the record that is expected of them. */
export interface StreamPart {
  readonly name: string
  readonly lines: readonly string[]
  /** What the record has; undefined if each line is text. */
  readonly record: (Partial<ReadRecord> & { readonly attributeValues?: Readonly<Record<string, unknown>> }) | undefined
}

const time = Date.parse('2026-11-21T09:56:03.123Z')
const isoTime = '2026-11-21T09:56:03.123Z'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const pino = `{"level":50,"time":${time},"pid":1,"hostname":"h","trace_id":"${traceId}","tenant":"a","msg":"failed"}`
const pinoRecord = { format: 'pino', level: 'error', severityNumber: 17, time, message: 'failed', traceId } as const
const frames = ['TypeError: no route', '    at handle (/app/server.js:3:9)', '    at process (node:internal:1:1)']

/** Returns a line of Docker's logging driver json-file. */
export function dockerLine(log: string, stream = 'stdout', lineTime = '2026-11-21T09:56:04.000000001Z'): string {
  return JSON.stringify({ log, stream, time: lineTime })
}

/**
 * Lines of all formats and envelopes, as their writers document them. Those of loggers are in `library-parts.ts`, written by the libraries.
 */
export const streamParts: readonly StreamPart[] = [
  {
    name: 'a line of this package',
    lines: [`{"timestamp":"${isoTime}","level":"warn","message":"slow","trace_id":"${traceId}","attributes":{"n":1}}`],
    record: { format: 'sluice', level: 'warn', time, message: 'slow', traceId, attributeValues: { n: 1 } },
  },
  { name: 'a line of pino', lines: [pino], record: { ...pinoRecord, attributeValues: { tenant: 'a' } } },
  {
    name: 'a stack trace after a record',
    lines: [pino, ...frames],
    record: { ...pinoRecord, attributeValues: { 'exception.stacktrace': frames.join('\n') } },
  },
  {
    name: 'text of no known format',
    lines: ['plain text', '  more text of it', '', '{"a":', '{', '  "level": "info"', '}', ']'],
    record: undefined,
  },
  {
    name: 'a stack trace without a record',
    lines: ['Error: without a record', '    at main (/app/main.js:1:1)'],
    record: undefined,
  },
  // docker compose: https://docs.docker.com/reference/cli/docker/compose/logs/
  {
    name: 'the prefix of docker compose',
    lines: [`web-1  | ${pino}`],
    record: { ...pinoRecord, origin: origin('web-1') },
  },
  {
    name: 'stack traces with the prefix of docker compose',
    lines: [`api-1   | ${pino}`, ...frames.map((line) => `api-1   | ${line}`)],
    record: { ...pinoRecord, origin: origin('api-1'), attributeValues: { 'exception.stacktrace': frames.join('\n') } },
  },
  {
    name: 'the colored prefix of docker compose',
    lines: [`\u001B[36mcache-1  | \u001B[0m${pino}`],
    record: { ...pinoRecord, origin: origin('cache-1') },
  },
  // Docker json-file, with a line in two parts: https://docs.docker.com/engine/logging/drivers/json-file/
  {
    name: "a line of Docker's json-file",
    lines: [dockerLine(`${pino}\n`)],
    record: { ...pinoRecord, origin: origin(undefined, 'stdout') },
  },
  {
    name: "a line that Docker's json-file has in two parts",
    lines: [dockerLine(pino.slice(0, 20), 'stderr'), dockerLine(`${pino.slice(20)}\n`, 'stderr')],
    record: { ...pinoRecord, origin: origin(undefined, 'stderr') },
  },
  {
    name: "text in Docker's json-file",
    lines: [dockerLine('just text\n', 'stdout', '2016-10-06T00:17:09.669794202Z')],
    record: {
      format: 'text',
      message: 'just text',
      severityNumber: 0,
      timeUnixNano: 1475713029669794202n,
      origin: origin(undefined, 'stdout'),
    },
  },
  // CRI, with parts and more tags than the first:
  // https://github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md
  {
    name: 'a line that a CRI runtime has in three parts',
    lines: [
      `2016-10-06T00:17:09.669794202Z stdout P ${pino.slice(0, 30)}`,
      `2016-10-06T00:17:09.669794203Z stdout P:tag ${pino.slice(30, 50)}`,
      `2016-10-06T00:17:09.669794204Z stdout F:tag ${pino.slice(50)}`,
    ],
    record: { ...pinoRecord, origin: origin(undefined, 'stdout') },
  },
  {
    name: 'a line without a time that a CRI runtime has',
    lines: ['2016-10-06T00:17:10.000000000Z stderr F {"level":30,"msg":"no time"}'],
    record: {
      level: 'info',
      message: 'no time',
      timeUnixNano: 1475713030000000000n,
      origin: origin(undefined, 'stderr'),
    },
  },
  // stern, with and without colors: the default template in https://github.com/stern/stern#templates
  {
    name: 'the prefix of stern',
    lines: [`web-5d8-x2 app ${pino}`],
    record: { ...pinoRecord, origin: origin('web-5d8-x2/app') },
  },
  {
    name: 'the colored prefix of stern',
    lines: [`\u001B[32mweb-7f-x1\u001B[0m \u001B[34mapp\u001B[0m ${pino}`],
    record: { ...pinoRecord, origin: origin('web-7f-x1/app') },
  },
  // https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/ (--prefix), https://docs.docker.com/reference/cli/docker/service/logs/,
  // https://pm2.keymetrics.io/docs/usage/log-management/ and https://ddollar.github.io/foreman/
  {
    name: 'the prefix of kubectl logs',
    lines: [`[pod/web-5d8/side] ${pino}`],
    record: { ...pinoRecord, origin: origin('web-5d8/side') },
  },
  {
    name: 'the prefix of docker service logs',
    lines: [`web.1.x7k2@node-1    | ${pino}`],
    record: { ...pinoRecord, origin: origin('web.1.x7k2@node-1') },
  },
  { name: 'the prefix of pm2', lines: [`0|worker  | ${pino}`], record: { ...pinoRecord, origin: origin('worker') } },
  {
    name: 'the prefix of foreman',
    lines: [`12:00:01 clock.1  | ${pino}`],
    record: { ...pinoRecord, origin: origin('clock.1') },
  },
  // https://github.com/open-cli-tools/concurrently/blob/main/docs/cli/prefixing.md, https://turborepo.com/docs/reference/run and
  // https://pnpm.io/cli/run#--reporter-hide-prefix
  {
    name: 'the prefix of concurrently, and a stack trace with it',
    lines: [`[0] ${pino}`, ...frames.map((line) => `[0] ${line}`)],
    record: { ...pinoRecord, origin: origin('0'), attributeValues: { 'exception.stacktrace': frames.join('\n') } },
  },
  {
    name: 'the colored prefix of Turborepo',
    lines: [`\u001B[35m@shop/api:dev: \u001B[0m${pino}`],
    record: { ...pinoRecord, origin: origin('@shop/api:dev') },
  },
  {
    name: 'the prefix of pnpm for several packages',
    lines: [`apps/api dev: ${pino}`],
    record: { ...pinoRecord, origin: origin('apps/api dev') },
  },
  // an envelope in an envelope
  {
    name: 'an envelope in an envelope',
    lines: [`outer-1  | ${dockerLine(`${pino}\n`)}`],
    record: { ...pinoRecord, origin: origin('outer-1', 'stdout') },
  },
  // journald: https://systemd.io/JOURNAL_EXPORT_FORMATS/
  {
    name: 'an entry of journalctl -o json',
    lines: [
      `{"__REALTIME_TIMESTAMP":"${time}123","PRIORITY":"4","_SYSTEMD_UNIT":"web.service","MESSAGE":"from the journal"}`,
    ],
    record: {
      format: 'journald',
      level: 'warn',
      timeUnixNano: BigInt(time) * 1_000_000n + 123_000n,
      message: 'from the journal',
      origin: origin('web.service'),
    },
  },
  {
    name: 'an entry of journalctl -o export',
    lines: [
      '__CURSOR=s=1',
      `__REALTIME_TIMESTAMP=${time}000`,
      'PRIORITY=3',
      '_SYSTEMD_UNIT=db.service',
      'MESSAGE=down',
      '',
    ],
    record: { format: 'journald', level: 'error', time, message: 'down', origin: origin('db.service') },
  },
  {
    name: 'a line of journalctl -o short-iso-precise',
    lines: [`2026-11-21T09:56:03.123+0000 host web[12]: ${pino}`],
    record: { ...pinoRecord, origin: origin('web') },
  },
  // logfmt, syslog (RFC 5424), access logs (https://httpd.apache.org/docs/2.4/mod/mod_log_config.html), text with a level
  {
    name: 'a line of logfmt',
    lines: [`ts=${isoTime} level=WARN msg="disk \\"full\\"" free=12 path=/var`],
    record: {
      format: 'logfmt',
      level: 'warn',
      severityText: 'WARN',
      time,
      message: 'disk "full"',
      attributeValues: { free: 12, path: '/var' },
    },
  },
  {
    name: 'a message of RFC 5424',
    lines: [`<165>1 ${isoTime} host app 99 ID47 [ex@1 key="a \\"b\\" \\]" n="1"] An event`],
    record: {
      format: 'syslog',
      level: 'notice',
      severityNumber: 10,
      time,
      message: 'An event',
      attributeValues: { 'ex@1.key': 'a "b" ]', 'ex@1.n': '1' },
      origin: origin('app'),
    },
  },
  {
    name: 'a line of the combined access log format',
    lines: ['10.0.0.7 - ada [21/Nov/2026:10:56:03 +0100] "GET /orders?id=1 HTTP/1.1" 503 19 "-" "curl/8.5"'],
    record: {
      format: 'access',
      level: 'error',
      time: time - 123,
      message: 'GET /orders 503',
      attributeValues: {
        'http.request.method': 'GET',
        'url.path': '/orders',
        'url.query': 'id=1',
        'http.response.status_code': 503,
        'client.address': '10.0.0.7',
        'user_agent.original': 'curl/8.5',
      },
    },
  },
  {
    name: 'text with a time, a level and a Java stack trace',
    lines: [
      `${isoTime} [main] ERROR it failed`,
      '\tat com.example.Main(Main.java:7)',
      'Caused by: java.io.IOException',
    ],
    record: {
      format: 'text',
      level: 'error',
      time,
      message: 'it failed',
      attributeValues: { 'exception.stacktrace': '\tat com.example.Main(Main.java:7)\nCaused by: java.io.IOException' },
    },
  },
]

/** Returns where a line of a container was read. */
export function origin(container: string | undefined, stream?: string): ReadRecord['origin'] {
  return { file: 'app.log', line: 0, container, stream }
}
