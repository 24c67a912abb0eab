import { origin, type StreamPart } from './mixed-stream.ts'

const time = 1_795_254_963_123
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const dd = (id: string): string =>
  `"dd":{"trace_id":"${id}","span_id":"4177532910564964234","service":"shop","version":"2.1.0","env":"prod"}`
const datadogRecord = {
  severityNumber: 13,
  level: 'warn',
  time,
  message: 'payment failed',
  spanId: '39f9940c73ba778a',
  attributes: new Map([['order', 43]]),
  resource: new Map([
    ['service.name', 'shop'],
    ['service.version', '2.1.0'],
    ['deployment.environment.name', 'prod'],
  ]),
}

/**
 * Lines that libraries and programs wrote that are not development dependencies, because each needs many others. Only times, IDs and
 * addresses were replaced.
 */
export const recordedParts: readonly StreamPart[] = [
  // dd-trace 6.21.0 with `logInjection`; the ID has 128 bits, or 64 bits with DD_TRACE_128_BIT_TRACEID_LOGGING_ENABLED=false.
  {
    name: 'a line of pino 10.4.0 with the trace that dd-trace 6.21.0 adds',
    lines: [
      `{"level":40,"time":${time},"pid":4242,"hostname":"web-1","order":43,"msg":"payment failed",${dd('6b08db910000000039f9940c73ba778a')}}`,
    ],
    record: {
      ...datadogRecord,
      format: 'pino',
      traceId: '6b08db910000000039f9940c73ba778a',
      resource: new Map<string, string | number>([
        ...datadogRecord.resource,
        ['process.pid', 4242],
        ['host.name', 'web-1'],
      ]),
    },
  },
  {
    name: 'a line of winston 3.19.0 with the 64 bits of a trace that dd-trace 6.21.0 adds',
    lines: [
      `{${dd('4177532910564964234')},"level":"warn","message":"payment failed","order":43,"timestamp":"2026-11-21T09:56:03.123Z"}`,
    ],
    record: {
      ...datadogRecord,
      format: 'datadog',
      severityText: 'warn',
      traceId: '000000000000000039f9940c73ba778a',
    },
  },
  {
    name: 'a line of @google-cloud/pino-logging-gcp-config 1.3.6',
    lines: [
      `{"severity":"WARNING","level":40,"timestamp":{"seconds":1795254963,"nanos":123000000},"pid":4242,"hostname":"web-1","order":43,"logging.googleapis.com/trace":"${traceId}","logging.googleapis.com/spanId":"${spanId}","logging.googleapis.com/trace_sampled":true,"serviceContext":{"service":"shop","version":"2.1.0"},"logging.googleapis.com/insertId":"..........6qhrIArsbhgRrtaQL5GqoW","message":"payment failed"}`,
    ],
    record: {
      format: 'gcp',
      level: 'warn',
      severityNumber: 13,
      severityText: 'WARNING',
      time,
      message: 'payment failed',
      traceId,
      spanId,
      traceFlags: 1,
      attributes: new Map<string, string | number>([
        ['level', 40],
        ['order', 43],
        ['logging.googleapis.com/insertId', '..........6qhrIArsbhgRrtaQL5GqoW'],
      ]),
      resource: new Map<string, string | number>([
        ['service.name', 'shop'],
        ['service.version', '2.1.0'],
        ['process.pid', 4242],
        ['host.name', 'web-1'],
      ]),
    },
  },
  {
    name: 'a line of the TextHandler of log/slog in Go 1.26.8',
    lines: [
      `time=2026-11-21T09:56:03.123Z level=WARN msg="disk \\"full\\"" trace_id=${traceId} span_id=${spanId} free=12 path=/var/log ok=true err="no space" d=1.5s`,
    ],
    record: {
      format: 'logfmt',
      level: 'warn',
      severityNumber: 13,
      severityText: 'WARN',
      time,
      message: 'disk "full"',
      traceId,
      spanId,
      attributes: new Map<string, string | number | boolean>([
        ['free', 12],
        ['path', '/var/log'],
        ['ok', true],
        ['err', 'no space'],
        ['d', '1.5s'],
      ]),
    },
  },
  {
    name: 'a message that logger of util-linux 2.38.1 sent with --rfc5424 --octet-count',
    lines: [
      `147 <28>1 2026-11-27T01:24:00.587273+00:00 vm shop 4242 ORDER [timeQuality tzKnown="1" isSynced="0"][order@32473 id="43" note="a \\"b\\""] payment failed`,
    ],
    record: {
      format: 'syslog',
      level: 'warn',
      severityNumber: 13,
      time: Date.parse('2026-11-27T01:24:00.587Z') + 0.273,
      timeUnixNano: 1_795_742_640_587_273_000n,
      message: 'payment failed',
      attributes: new Map<string, string | number>([
        ['timeQuality.tzKnown', '1'],
        ['timeQuality.isSynced', '0'],
        ['order@32473.id', '43'],
        ['order@32473.note', 'a "b"'],
        ['syslog.msgid', 'ORDER'],
        ['syslog.facility.code', 3],
      ]),
      resource: new Map<string, string | number>([
        ['service.name', 'shop'],
        ['host.name', 'vm'],
        ['process.pid', 4242],
      ]),
      origin: origin('shop'),
    },
  },
  {
    name: 'a line of the format combined of morgan 1.12.1',
    lines: [
      '::ffff:127.0.0.1 - - [21/Nov/2026:09:56:03 +0000] "GET /orders/42?x=1 HTTP/1.1" 404 - "http://x/y" "curl/8.5"',
    ],
    record: {
      format: 'access',
      level: 'warn',
      severityNumber: 13,
      time: time - 123,
      message: 'GET /orders/42 404',
      attributes: new Map<string, string | number>([
        ['http.request.method', 'GET'],
        ['url.path', '/orders/42'],
        ['url.query', 'x=1'],
        ['network.protocol.version', '1.1'],
        ['http.response.status_code', 404],
        ['client.address', '::ffff:127.0.0.1'],
        ['http.request.header.referer', 'http://x/y'],
        ['user_agent.original', 'curl/8.5'],
      ]),
    },
  },
  {
    name: 'a line of the format common of morgan 1.12.1',
    lines: ['::ffff:127.0.0.1 - - [21/Nov/2026:09:56:03 +0000] "GET /orders/42?x=1 HTTP/1.1" 200 5'],
    record: { format: 'access', level: 'info', severityNumber: 9, time: time - 123, message: 'GET /orders/42 200' },
  },
]
